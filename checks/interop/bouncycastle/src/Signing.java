import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.pqc.crypto.MessageSigner;

/** A key of the schemes that share one interface for signing. */
final class Signing implements Peer.Key {
    private final MessageSigner signer;
    private final byte[] publicKey;

    Signing(AsymmetricCipherKeyPair pair, MessageSigner signer, byte[] publicKey) {
        this.signer = signer;
        this.publicKey = publicKey;
        signer.init(true, pair.getPrivate());
    }

    @Override
    public byte[] publicKey() {
        return publicKey;
    }

    @Override
    public byte[] sign(byte[] message) {
        return signer.generateSignature(message);
    }
}
