import java.security.SecureRandom;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.pqc.crypto.xmss.XMSS;
import org.bouncycastle.pqc.crypto.xmss.XMSSParameters;

/** XMSS: `XMSS-SHA2_10_256` and the like. */
final class Xmss implements Peer.Scheme {
    private final XMSSParameters parameters;

    Xmss(String alg) {
        String[] parts = alg.substring("XMSS-".length()).split("_");
        parameters = new XMSSParameters(Integer.parseInt(parts[1]), digest(parts[0], parts[2]));
    }

    /** The hash of a set's name: family and output bits. */
    static Digest digest(String family, String bits) {
        return switch (family + "_" + bits) {
            case "SHA2_256" -> new SHA256Digest();
            case "SHA2_512" -> new SHA512Digest();
            case "SHAKE_256" -> new SHAKEDigest(128);
            case "SHAKE_512" -> new SHAKEDigest(256);
            default -> throw new IllegalArgumentException("not in Bouncy Castle: " + family + "_" + bits);
        };
    }

    @Override
    public Peer.Key generate() throws Exception {
        XMSS xmss = new XMSS(parameters, new SecureRandom());
        xmss.generateKeys();
        return new Peer.Key() {
            @Override
            public byte[] publicKey() throws Exception {
                return xmss.exportPublicKey().getEncoded();
            }

            @Override
            public byte[] sign(byte[] message) {
                return xmss.sign(message);
            }
        };
    }

    @Override
    public boolean verify(byte[] publicKey, byte[] message, byte[] signature) throws Exception {
        return new XMSS(parameters, new SecureRandom()).verifySignature(message, signature, publicKey);
    }
}
