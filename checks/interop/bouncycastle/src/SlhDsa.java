import java.security.SecureRandom;
import java.util.Locale;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.pqc.crypto.slhdsa.SLHDSAKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.slhdsa.SLHDSAKeyPairGenerator;
import org.bouncycastle.pqc.crypto.slhdsa.SLHDSAParameters;
import org.bouncycastle.pqc.crypto.slhdsa.SLHDSAPublicKeyParameters;
import org.bouncycastle.pqc.crypto.slhdsa.SLHDSASigner;

/** SLH-DSA with the empty context: `SLH-DSA-SHA2-128f` and the like. */
final class SlhDsa implements Peer.Scheme {
    private final SLHDSAParameters parameters;

    SlhDsa(String alg) throws ReflectiveOperationException {
        String[] parts = alg.substring("SLH-DSA-".length()).split("-");
        String field = parts[0].toLowerCase(Locale.ROOT) + "_" + parts[1];
        parameters = (SLHDSAParameters) SLHDSAParameters.class.getField(field).get(null);
    }

    @Override
    public Peer.Key generate() {
        SLHDSAKeyPairGenerator generator = new SLHDSAKeyPairGenerator();
        generator.init(new SLHDSAKeyGenerationParameters(new SecureRandom(), parameters));
        AsymmetricCipherKeyPair pair = generator.generateKeyPair();
        return new Signing(pair, new SLHDSASigner(), ((SLHDSAPublicKeyParameters) pair.getPublic()).getEncoded());
    }

    @Override
    public boolean verify(byte[] publicKey, byte[] message, byte[] signature) {
        SLHDSASigner verifier = new SLHDSASigner();
        verifier.init(false, new SLHDSAPublicKeyParameters(parameters, publicKey));
        return verifier.verifySignature(message, signature);
    }
}
