import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.jsse.provider.BouncyCastleJsseProvider;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * TLS 1.3 by Bouncy Castle, on loopback. Every line that comes is sent back.
 *
 *   Tls issue ALG PREFIX                    PREFIX-root.pem, PREFIX.pem, PREFIX.key
 *   Tls serve CERT KEY CLIENT-ROOT          prints the port; clients must show a certificate
 *   Tls connect PORT ROOT CERT KEY          sends a line and prints what comes back
 *   Tls measure CERT KEY ROOT WARM COUNT    handshakes with both sides here: CPU of both in microseconds, one line each
 *
 * The group is the property jdk.tls.namedGroups, the schemes are jdk.tls.client.SignatureSchemes and jdk.tls.server.SignatureSchemes.
 */
final class Tls {
    private static final char[] NO_PASSWORD = new char[0];

    public static void main(String[] args) throws Exception {
        Security.insertProviderAt(new BouncyCastleProvider(), 1);
        Security.insertProviderAt(new BouncyCastleJsseProvider(), 2);
        switch (args[0]) {
            case "issue" -> issue(args[1], args[2]);
            case "serve" -> serve(context(args[1], args[2], args[3]));
            case "connect" -> connect(context(args[3], args[4], args[2]), Integer.parseInt(args[1]));
            case "measure" -> measure(context(args[1], args[2], args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    private static void issue(String alg, String prefix) throws Exception {
        KeyPair above = KeyPairGenerator.getInstance(alg, "BC").generateKeyPair();
        KeyPair own = KeyPairGenerator.getInstance(alg, "BC").generateKeyPair();
        ContentSigner signer = new JcaContentSignerBuilder(alg).setProvider("BC").build(above.getPrivate());
        write(prefix + "-root.pem", "CERTIFICATE", of("root", above, true).build(signer).getEncoded());
        write(prefix + ".pem", "CERTIFICATE", of("localhost", own, false).build(signer).getEncoded());
        write(prefix + ".key", "PRIVATE KEY", own.getPrivate().getEncoded());
    }

    private static JcaX509v3CertificateBuilder of(String name, KeyPair key, boolean authority) throws Exception {
        Date from = new Date(System.currentTimeMillis() - 86_400_000L);
        Date until = new Date(from.getTime() + 20 * 86_400_000L);
        JcaX509v3CertificateBuilder made = new JcaX509v3CertificateBuilder(
                new X500Name("CN=root"), BigInteger.valueOf(authority ? 1 : 2), from, until, new X500Name("CN=" + name), key.getPublic());
        made.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        if (!authority) {
            GeneralName[] names = {new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.iPAddress, "127.0.0.1")};
            made.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        }
        return made;
    }

    private static void write(String path, String label, byte[] der) throws Exception {
        try (PemWriter out = new PemWriter(Files.newBufferedWriter(Path.of(path)))) {
            out.writeObject(new PemObject(label, der));
        }
    }

    private static Certificate certificate(String path) throws Exception {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            return CertificateFactory.getInstance("X.509", "BC").generateCertificate(in);
        }
    }

    private static PrivateKey key(String path) throws Exception {
        try (PemReader in = new PemReader(Files.newBufferedReader(Path.of(path)))) {
            byte[] der = in.readPemObject().getContent();
            String oid = PrivateKeyInfo.getInstance(der).getPrivateKeyAlgorithm().getAlgorithm().getId();
            return KeyFactory.getInstance(oid, "BC").generatePrivate(new PKCS8EncodedKeySpec(der));
        }
    }

    private static KeyStore store() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12", "BC");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static SSLContext context(String cert, String key, String root) throws Exception {
        KeyStore own = store();
        own.setKeyEntry("own", key(key), NO_PASSWORD, new Certificate[] {certificate(cert)});
        KeyStore trusted = store();
        trusted.setCertificateEntry("root", certificate(root));
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX", "BCJSSE");
        keys.init(own, NO_PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX", "BCJSSE");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLSv1.3", "BCJSSE");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static SSLServerSocket listen(SSLContext context, boolean mutual) throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        SSLServerSocket socket = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 8, here);
        socket.setEnabledProtocols(new String[] {"TLSv1.3"});
        socket.setNeedClientAuth(mutual);
        return socket;
    }

    private static void serve(SSLContext context) throws Exception {
        SSLServerSocket listening = listen(context, true);
        System.out.println("listening on " + listening.getLocalPort());
        while (true) {
            try (SSLSocket socket = (SSLSocket) listening.accept()) {
                byte[] line = new byte[256];
                int length = socket.getInputStream().read(line);
                socket.getOutputStream().write(line, 0, Math.max(length, 0));
                System.out.println("served " + socket.getSession().getProtocol());
            } catch (Exception refused) {
                System.out.println("refused " + refused);
            }
        }
    }

    private static SSLSocket dial(SSLContext context, int port) throws Exception {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getByName("127.0.0.1"), port);
        socket.setEnabledProtocols(new String[] {"TLSv1.3"});
        return socket;
    }

    private static void connect(SSLContext context, int port) throws Exception {
        try (SSLSocket socket = dial(context, port)) {
            OutputStream out = socket.getOutputStream();
            out.write("hello from Bouncy Castle\n".getBytes());
            out.flush();
            byte[] answer = new byte[256];
            int length = socket.getInputStream().read(answer);
            System.out.print(new String(answer, 0, Math.max(length, 0)));
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    /** A thread that does the work and notes its CPU time in nanoseconds. */
    private static Thread timed(Work work, long[] spent, int side) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            spent[side] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        });
        thread.start();
        return thread;
    }

    /** One byte each way ends a handshake on both sides. CPU time is that of the two threads, so neither the compiler's nor the collector's. */
    private static void measure(SSLContext context, int warm, int count) throws Exception {
        SSLServerSocket listening = listen(context, false);
        for (int i = 0; i < warm + count; i++) {
            long[] spent = new long[2];
            Thread server = timed(() -> {
                try (SSLSocket socket = (SSLSocket) listening.accept()) {
                    socket.getInputStream().read();
                    socket.getOutputStream().write('b');
                }
            }, spent, 0);
            Thread client = timed(() -> {
                try (SSLSocket socket = dial(context, listening.getLocalPort())) {
                    socket.getOutputStream().write('a');
                    socket.getInputStream().read();
                }
            }, spent, 1);
            server.join();
            client.join();
            if (i >= warm) {
                System.out.println((spent[0] + spent[1]) / 1000);
            }
        }
    }
}
