import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Bouncy Castle behind two verbs. A folder holds `msg`, `pub` and `sig0`, `sig1`, ... in the raw encodings of the standards.
 *
 *   Peer sign ALG FOLDER COUNT     reads msg, makes a key, writes pub and sig0 .. sig(COUNT-1)
 *   Peer verify ALG FOLDER...      prints one line per signature: FOLDER/sigN good|bad
 */
final class Peer {
    /** A private key that signs, and its public key. */
    interface Key {
        byte[] publicKey() throws Exception;

        byte[] sign(byte[] message) throws Exception;
    }

    /** A scheme with its parameter set. */
    interface Scheme {
        Key generate() throws Exception;

        boolean verify(byte[] publicKey, byte[] message, byte[] signature) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 3) {
            usage();
        }
        Scheme scheme = scheme(args[1]);
        switch (args[0]) {
            case "sign" -> sign(scheme, Path.of(args[2]), Integer.parseInt(args[3]));
            case "verify" -> {
                for (String folder : Arrays.copyOfRange(args, 2, args.length)) {
                    verify(scheme, Path.of(folder));
                }
            }
            default -> usage();
        }
    }

    static Scheme scheme(String alg) throws ReflectiveOperationException {
        if (alg.startsWith("SLH-DSA-")) {
            return new SlhDsa(alg);
        }
        if (alg.startsWith("Falcon-")) {
            return new Falcon(alg);
        }
        if (alg.startsWith("XMSSMT-")) {
            return new XmssMt(alg);
        }
        return alg.startsWith("XMSS-") ? new Xmss(alg) : new Lms(alg);
    }

    private static void sign(Scheme scheme, Path folder, int count) throws Exception {
        byte[] message = Files.readAllBytes(folder.resolve("msg"));
        Key key = scheme.generate();
        Files.write(folder.resolve("pub"), key.publicKey());
        for (int i = 0; i < count; i++) {
            Files.write(folder.resolve("sig" + i), key.sign(message));
        }
    }

    private static void verify(Scheme scheme, Path folder) throws Exception {
        byte[] message = Files.readAllBytes(folder.resolve("msg"));
        byte[] publicKey = Files.readAllBytes(folder.resolve("pub"));
        File[] signatures = folder.toFile().listFiles((f, name) -> name.startsWith("sig"));
        Arrays.sort(signatures);
        for (File file : signatures) {
            boolean good = isGood(scheme, publicKey, message, Files.readAllBytes(file.toPath()));
            System.out.println(file + (good ? " good" : " bad"));
        }
    }

    /** A signature this library cannot even parse is a bad one. */
    private static boolean isGood(Scheme scheme, byte[] publicKey, byte[] message, byte[] signature) {
        try {
            return scheme.verify(publicKey, message, signature);
        } catch (Exception unparsable) {
            System.err.println(unparsable);
            return false;
        }
    }

    private static void usage() {
        System.err.println("Usage: Peer sign ALG FOLDER COUNT | Peer verify ALG FOLDER...");
        System.exit(2);
    }
}
