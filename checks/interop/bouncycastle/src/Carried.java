import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.pqc.crypto.lms.HSSPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.lms.LMSPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.pqc.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.pqc.crypto.xmss.XMSSKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSKeyPairGenerator;
import org.bouncycastle.pqc.crypto.xmss.XMSSParameters;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Makes keys whose private part is imported:
 *
 *   Carried ALG PREFIX MESSAGE INDEX   LMS or HSS
 *   Carried XMSS PREFIX                XMSS-SHA2_10_256
 *
 * PREFIX.key is the private key after three signatures, PREFIX.shard a part of it that was taken
 * out then, PREFIX.pub the public key, and PREFIX.sig the signature of MESSAGE with INDEX, which is
 * 7 or higher: the part has four.
 */
final class Carried {
    private static final int USED = 3;
    private static final int PART = 4;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("XMSS")) {
            XMSSKeyPairGenerator generator = new XMSSKeyPairGenerator();
            generator.init(new XMSSKeyGenerationParameters(new XMSSParameters(10, new SHA256Digest()), new SecureRandom()));
            write(generator.generateKeyPair(), args[1]);
            return;
        }
        Lms scheme = new Lms(args[0]);
        AsymmetricCipherKeyPair pair = scheme.pair();
        byte[] message = Files.readAllBytes(Path.of(args[2]));
        for (int used = 0; used < USED; used++) {
            scheme.sign(pair, message);
        }
        write(pair, args[1]);
        pem(args[1] + ".shard", "PRIVATE KEY", PrivateKeyInfoFactory.createPrivateKeyInfo(part(pair.getPrivate())));
        byte[] signature = new byte[0];
        for (int used = USED + PART; used <= Integer.parseInt(args[3]); used++) {
            signature = scheme.sign(pair, message);
        }
        Files.write(Path.of(args[1] + ".sig"), signature);
    }

    private static AsymmetricKeyParameter part(AsymmetricKeyParameter key) {
        return key instanceof HSSPrivateKeyParameters hss
                ? hss.extractKeyShard(PART)
                : ((LMSPrivateKeyParameters) key).extractKeyShard(PART);
    }

    private static void write(AsymmetricCipherKeyPair pair, String prefix) throws Exception {
        PrivateKeyInfo key = PrivateKeyInfoFactory.createPrivateKeyInfo(pair.getPrivate());
        pem(prefix + ".key", "PRIVATE KEY", key);
        pem(prefix + ".pub", "PUBLIC KEY", SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(pair.getPublic()));
    }

    private static void pem(String name, String label, ASN1Encodable content) throws Exception {
        try (PemWriter out = new PemWriter(Files.newBufferedWriter(Path.of(name)))) {
            out.writeObject(new PemObject(label, content.toASN1Primitive().getEncoded("DER")));
        }
    }
}
