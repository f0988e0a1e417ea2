import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;

/** Loads the module by SunPKCS11 and lists what its key store sees: java Tokens.java CONFIG. */
public class Tokens {
    public static void main(String[] names) throws Exception {
        Provider provider = Security.getProvider("SunPKCS11").configure(names[0]);
        System.out.println("provider " + provider.getName());
        KeyStore store = KeyStore.getInstance("PKCS11", provider);
        store.load(null, names.length > 1 ? names[1].toCharArray() : null);
        System.out.println("entries " + store.size());
        System.out.println("services " + provider.getServices().size());
    }
}
