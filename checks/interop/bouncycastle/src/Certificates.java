import java.io.OutputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Date;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Certificates whose keys and signatures stand raw in their BIT STRINGs (RFC 9802, RFC 9909; Falcon as Open Quantum Safe has it).
 *
 *   Certificates issue ALG PREFIX     PREFIX-root.pem and PREFIX.pem, a leaf under it with a key of its own
 *   Certificates verify ALG ROOT LEAF...   prints one line per leaf: LEAF good|bad
 */
final class Certificates {
    private static final long DAY = 86_400_000L;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("issue")) {
            issue(args[1], args[2]);
            return;
        }
        X509CertificateHolder root = read(args[2]);
        for (int i = 3; i < args.length; i++) {
            System.out.println(args[i] + (holds(Peer.scheme(args[1]), root, read(args[i])) ? " good" : " bad"));
        }
    }

    private static AlgorithmIdentifier identifier(String alg) {
        String oid = switch (alg.split("[-_(]")[0]) {
            case "XMSS" -> "1.3.6.1.5.5.7.6.34";
            case "XMSSMT" -> "1.3.6.1.5.5.7.6.35";
            case "HSS", "LMS" -> "1.2.840.113549.1.9.16.3.17";
            case "Falcon" -> alg.endsWith("512") ? "1.3.9999.3.1" : "1.3.9999.3.4";
            default -> throw new IllegalArgumentException(alg);
        };
        return new AlgorithmIdentifier(new ASN1ObjectIdentifier(oid));
    }

    /** Signs with the key of a scheme. */
    private record By(AlgorithmIdentifier id, Peer.Key key, ByteArrayOutputStream written) implements ContentSigner {
        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
            return id;
        }

        @Override
        public OutputStream getOutputStream() {
            return written;
        }

        @Override
        public byte[] getSignature() {
            try {
                return key.sign(written.toByteArray());
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    private static X509v3CertificateBuilder of(String name, int serial, SubjectPublicKeyInfo key, boolean authority) throws Exception {
        Date from = new Date(System.currentTimeMillis() - DAY);
        Date until = new Date(from.getTime() + 20 * DAY);
        X500Name issuer = new X500Name("CN=root");
        X509v3CertificateBuilder made =
                new X509v3CertificateBuilder(issuer, BigInteger.valueOf(serial), from, until, new X500Name("CN=" + name), key);
        made.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        made.addExtension(Extension.keyUsage, true, new KeyUsage(authority ? KeyUsage.keyCertSign : KeyUsage.digitalSignature));
        if (!authority) {
            made.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        }
        return made;
    }

    private static void issue(String alg, String prefix) throws Exception {
        AlgorithmIdentifier id = identifier(alg);
        Peer.Scheme scheme = Peer.scheme(alg);
        Peer.Key above = scheme.generate();
        // A stateful key signs certificates only; its leaf has a key of SLH-DSA.
        boolean stateful = !alg.startsWith("Falcon");
        AlgorithmIdentifier leafId = stateful ? new AlgorithmIdentifier(new ASN1ObjectIdentifier("2.16.840.1.101.3.4.3.21")) : id;
        Peer.Key own = stateful ? Peer.scheme("SLH-DSA-SHA2-128f").generate() : scheme.generate();
        write(prefix + "-root.pem", of("root", 1, new SubjectPublicKeyInfo(id, above.publicKey()), true), id, above);
        write(prefix + ".pem", of("localhost", 2, new SubjectPublicKeyInfo(leafId, own.publicKey()), false), id, above);
    }

    private static void write(String path, X509v3CertificateBuilder made, AlgorithmIdentifier id, Peer.Key by) throws Exception {
        byte[] der = made.build(new By(id, by, new ByteArrayOutputStream())).getEncoded();
        try (PemWriter out = new PemWriter(Files.newBufferedWriter(Path.of(path)))) {
            out.writeObject(new PemObject("CERTIFICATE", der));
        }
    }

    private static X509CertificateHolder read(String path) throws Exception {
        try (PemReader in = new PemReader(Files.newBufferedReader(Path.of(path)))) {
            return new X509CertificateHolder(in.readPemObject().getContent());
        }
    }

    /** Whether the root signed itself and the leaf, and both bear the number of the algorithm. */
    private static boolean holds(Peer.Scheme scheme, X509CertificateHolder root, X509CertificateHolder leaf) {
        try {
            byte[] key = root.getSubjectPublicKeyInfo().getPublicKeyData().getOctets();
            for (X509CertificateHolder signed : new X509CertificateHolder[] {root, leaf}) {
                byte[] body = signed.toASN1Structure().getTBSCertificate().getEncoded();
                boolean numbered = signed.getSignatureAlgorithm().equals(root.getSubjectPublicKeyInfo().getAlgorithm());
                if (!numbered || !scheme.verify(key, body, signed.getSignature())) {
                    return false;
                }
            }
            return leaf.getIssuer().equals(root.getSubject());
        } catch (Exception unreadable) {
            System.err.println(unreadable);
            return false;
        }
    }
}
