import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.pqc.crypto.falcon.FalconKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.falcon.FalconKeyPairGenerator;
import org.bouncycastle.pqc.crypto.falcon.FalconParameters;
import org.bouncycastle.pqc.crypto.falcon.FalconPublicKeyParameters;
import org.bouncycastle.pqc.crypto.falcon.FalconSigner;

/** Falcon of round 3: `Falcon-512` and `Falcon-1024`. Bouncy Castle leaves out the first byte of a public key, which is log2 of the degree. */
final class Falcon implements Peer.Scheme {
    private final FalconParameters parameters;

    Falcon(String alg) {
        parameters = alg.endsWith("512") ? FalconParameters.falcon_512 : FalconParameters.falcon_1024;
    }

    @Override
    public Peer.Key generate() {
        FalconKeyPairGenerator generator = new FalconKeyPairGenerator();
        generator.init(new FalconKeyGenerationParameters(new SecureRandom(), parameters));
        AsymmetricCipherKeyPair pair = generator.generateKeyPair();
        byte[] h = ((FalconPublicKeyParameters) pair.getPublic()).getH();
        byte[] encoded = new byte[h.length + 1];
        encoded[0] = (byte) parameters.getLogN();
        System.arraycopy(h, 0, encoded, 1, h.length);
        return new Signing(pair, new FalconSigner(), encoded);
    }

    @Override
    public boolean verify(byte[] publicKey, byte[] message, byte[] signature) {
        FalconSigner verifier = new FalconSigner();
        byte[] h = Arrays.copyOfRange(publicKey, 1, publicKey.length);
        verifier.init(false, new FalconPublicKeyParameters(parameters, h));
        return publicKey[0] == parameters.getLogN() && verifier.verifySignature(message, signature);
    }
}
