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
    public byte[][] sign(byte[] message, int count) {
        XMSSMT xmssMt = new XMSSMT(parameters, new SecureRandom());
        xmssMt.generateKeys();
        byte[][] made = new byte[count + 1][];
        made[0] = xmssMt.exportPublicKey();
        for (int i = 1; i <= count; i++) {
            made[i] = xmssMt.sign(message);
        }
        return made;
    }

    @Override
    public boolean verify(byte[] publicKey, byte[] message, byte[] signature) throws Exception {
        return new XMSSMT(parameters, new SecureRandom()).verifySignature(message, signature, publicKey);
    }
}
