import java.security.SecureRandom;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.pqc.crypto.MessageSigner;
import org.bouncycastle.pqc.crypto.lms.HSSKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.lms.HSSKeyPairGenerator;
import org.bouncycastle.pqc.crypto.lms.HSSPublicKeyParameters;
import org.bouncycastle.pqc.crypto.lms.HSSSigner;
import org.bouncycastle.pqc.crypto.lms.LMOtsParameters;
import org.bouncycastle.pqc.crypto.lms.LMSKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.lms.LMSKeyPairGenerator;
import org.bouncycastle.pqc.crypto.lms.LMSParameters;
import org.bouncycastle.pqc.crypto.lms.LMSPublicKeyParameters;
import org.bouncycastle.pqc.crypto.lms.LMSSigner;
import org.bouncycastle.pqc.crypto.lms.LMSigParameters;
import org.bouncycastle.util.Encodable;

/** LMS `LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4`, and HSS `HSS(A,B)` of such pairs. */
final class Lms implements Peer.Scheme {
    private final boolean hierarchical;
    private final LMSParameters[] levels;

    Lms(String alg) {
        hierarchical = alg.startsWith("HSS(");
        String list = hierarchical ? alg.substring("HSS(".length(), alg.length() - 1) : alg;
        String[] names = list.split(",");
        levels = new LMSParameters[names.length];
        for (int i = 0; i < names.length; i++) {
            levels[i] = level(names[i].trim());
        }
    }

    /** Type codes run through tree heights 5 to 25, or w 1 to 8, within one hash and width. */
    private static LMSParameters level(String name) {
        String[] parts = name.split("[_/]"); // LMS SHA256 M32 H10 LMOTS SHA256 N32 W4
        int family = ("SHAKE".equals(parts[1]) ? 2 : 0) + ("M24".equals(parts[2]) ? 1 : 0);
        int height = Integer.parseInt(parts[3].substring(1));
        int width = Integer.parseInt(parts[7].substring(1));
        int tree = 5 + family * 5 + (height / 5 - 1);
        int ots = 1 + family * 4 + Integer.numberOfTrailingZeros(width);
        return new LMSParameters(LMSigParameters.getParametersForType(tree), LMOtsParameters.getParametersForType(ots));
    }

    @Override
    public Peer.Key generate() throws Exception {
        AsymmetricCipherKeyPair pair = pair();
        MessageSigner signer = hierarchical ? new HSSSigner() : new LMSSigner();
        return new Signing(pair, signer, ((Encodable) pair.getPublic()).getEncoded());
    }

    byte[] sign(AsymmetricCipherKeyPair pair, byte[] message) {
        MessageSigner signer = hierarchical ? new HSSSigner() : new LMSSigner();
        signer.init(true, pair.getPrivate());
        return signer.generateSignature(message);
    }

    AsymmetricCipherKeyPair pair() {
        SecureRandom random = new SecureRandom();
        if (hierarchical) {
            HSSKeyPairGenerator generator = new HSSKeyPairGenerator();
            generator.init(new HSSKeyGenerationParameters(levels, random));
            return generator.generateKeyPair();
        }
        LMSKeyPairGenerator generator = new LMSKeyPairGenerator();
        generator.init(new LMSKeyGenerationParameters(levels[0], random));
        return generator.generateKeyPair();
    }

    @Override
    public boolean verify(byte[] publicKey, byte[] message, byte[] signature) throws Exception {
        AsymmetricKeyParameter key =
                hierarchical ? HSSPublicKeyParameters.getInstance(publicKey) : LMSPublicKeyParameters.getInstance(publicKey);
        MessageSigner verifier = hierarchical ? new HSSSigner() : new LMSSigner();
        verifier.init(false, key);
        return verifier.verifySignature(message, signature);
    }
}
