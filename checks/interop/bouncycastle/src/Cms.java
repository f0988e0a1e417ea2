import java.io.ByteArrayOutputStream;
import java.io.FileReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Security;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInfoGenerator;
import org.bouncycastle.cms.SignerInfoGeneratorBuilder;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.pqc.jcajce.provider.BouncyCastlePQCProvider;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * SignedData of CMS in DER.
 *
 *   Cms sign ALG KEY CERT CONTENT OUT HOW   with a key in PKCS#8; HOW is issuer, key or attached
 *   Cms hss ALG CONTENT PREFIX              with a new key of HSS: PREFIX.p7s, PREFIX.pub
 *   Cms verify ROOT SIGNATURE CONTENT       the certificate in the file is of the root; CONTENT may be -
 */
final class Cms {
    private static final ASN1ObjectIdentifier HSS = new ASN1ObjectIdentifier("1.2.840.113549.1.9.16.3.17");

    public static void main(String[] args) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        Security.addProvider(new BouncyCastlePQCProvider());
        switch (args[0]) {
            case "sign" -> sign(args);
            case "hss" -> hss(args[1], Files.readAllBytes(Path.of(args[2])), args[3]);
            default -> {
                boolean good = verify(args[1], Files.readAllBytes(Path.of(args[2])), args[3]);
                System.out.println(good ? "good" : "bad");
                System.exit(good ? 0 : 1);
            }
        }
    }

    private static DigestCalculatorProvider digests() throws Exception {
        return new JcaDigestCalculatorProviderBuilder().setProvider("BC").build();
    }

    private static void sign(String[] args) throws Exception {
        PrivateKeyInfo info = (PrivateKeyInfo) pem(args[2]);
        PrivateKey key = new JcaPEMKeyConverter().setProvider("BC").getPrivateKey(info);
        X509CertificateHolder certificate = (X509CertificateHolder) pem(args[3]);
        ContentSigner signer = new JcaContentSignerBuilder(args[1]).setProvider("BC").build(key);
        SignerInfoGeneratorBuilder builder = new SignerInfoGeneratorBuilder(digests());
        SignerInfoGenerator by = args[6].equals("key")
                ? builder.build(signer, identifier(certificate.getSubjectPublicKeyInfo()))
                : builder.build(signer, certificate);
        CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(by);
        generator.addCertificate(certificate);
        byte[] content = Files.readAllBytes(Path.of(args[4]));
        Files.write(Path.of(args[5]), signed(generator, content, args[6].equals("attached")));
    }

    private static byte[] signed(CMSSignedDataGenerator generator, byte[] content, boolean attached) throws Exception {
        return generator.generate(new CMSProcessableByteArray(content), attached).toASN1Structure().getEncoded("DER");
    }

    private static void hss(String alg, byte[] content, String prefix) throws Exception {
        Peer.Key key = Peer.scheme(alg).generate();
        SubjectPublicKeyInfo spki = new SubjectPublicKeyInfo(new AlgorithmIdentifier(HSS), key.publicKey());
        // It knows no digest for HSS by itself; RFC 9708 has the hash function of the trees.
        SignerInfoGeneratorBuilder builder = new SignerInfoGeneratorBuilder(digests());
        builder.setContentDigest(new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha256));
        CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
        generator.addSignerInfoGenerator(builder.build(new By(key, new ByteArrayOutputStream()), identifier(spki)));
        Files.write(Path.of(prefix + ".p7s"), signed(generator, content, false));
        try (PemWriter out = new PemWriter(Files.newBufferedWriter(Path.of(prefix + ".pub")))) {
            out.writeObject(new PemObject("PUBLIC KEY", spki.getEncoded()));
        }
    }

    /** Signs with a key of HSS. */
    private record By(Peer.Key key, ByteArrayOutputStream written) implements ContentSigner {
        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
            return new AlgorithmIdentifier(HSS);
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

    private static byte[] identifier(SubjectPublicKeyInfo key) throws Exception {
        return MessageDigest.getInstance("SHA-1").digest(key.getPublicKeyData().getOctets());
    }

    private static boolean verify(String root, byte[] file, String content) throws Exception {
        X509CertificateHolder above = (X509CertificateHolder) pem(root);
        CMSSignedData signed = content.equals("-")
                ? new CMSSignedData(file)
                : new CMSSignedData(new CMSProcessableByteArray(Files.readAllBytes(Path.of(content))), file);
        SignerInformation signer = signed.getSignerInfos().iterator().next();
        for (Object one : signed.getCertificates().getMatches(signer.getSID())) {
            X509CertificateHolder certificate = (X509CertificateHolder) one;
            var of = new JcaContentVerifierProviderBuilder().setProvider("BC").build(above);
            try {
                return certificate.isSignatureValid(of)
                        && signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(certificate));
            } catch (Exception failed) {
                System.err.println(failed);
                return false;
            }
        }
        return false;
    }

    private static Object pem(String path) throws Exception {
        try (PEMParser in = new PEMParser(new FileReader(path))) {
            return in.readObject();
        }
    }
}
