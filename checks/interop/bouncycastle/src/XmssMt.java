import java.security.SecureRandom;
import org.bouncycastle.pqc.crypto.xmss.XMSSMT;
import org.bouncycastle.pqc.crypto.xmss.XMSSMTParameters;

/** XMSS^MT: `XMSSMT-SHA2_20/4_256` and the like. */
final class XmssMt implements Peer.Scheme {
    private final XMSSMTParameters parameters;

    XmssMt(String alg) {
        String[] parts = alg.substring("XMSSMT-".length()).split("[_/]");
        int height = Integer.parseInt(parts[1]);
        int layers = Integer.parseInt(parts[2]);
        parameters = new XMSSMTParameters(height, layers, Xmss.digest(parts[0], parts[3]));
    }

    @Override
    public Peer.Key generate() {
        XMSSMT xmssMt = new XMSSMT(parameters, new SecureRandom());
        xmssMt.generateKeys();
        return new Peer.Key() {
            @Override
            public byte[] publicKey() {
                return xmssMt.exportPublicKey();
            }

            @Override
            public byte[] sign(byte[] message) {
                return xmssMt.sign(message);
            }
        };
    }

    @Override
    public boolean verify(byte[] publicKey, byte[] message, byte[] signature) throws Exception {
        return new XMSSMT(parameters, new SecureRandom()).verifySignature(message, signature, publicKey);
    }
}
