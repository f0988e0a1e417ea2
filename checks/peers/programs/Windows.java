import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HexFormat;
import java.util.Scanner;
import java.util.concurrent.Callable;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** Bouncy Castle behind the words of peer.hpp, through the program of checks/interop/bouncycastle. */
final class Windows {
    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();
    private static final double ENOUGH_US = 200;
    private static final double WARM_US = 1_500_000;

    private final Peer.Scheme scheme;
    private final byte[] message = new byte[64];
    private Peer.Key key;
    private byte[] signature;
    private long left;

    private Windows(Peer.Scheme scheme) {
        this.scheme = scheme;
        java.util.Arrays.fill(message, (byte) 0x6d);
    }

    public static void main(String[] args) throws Exception {
        Windows windows = new Windows(Peer.scheme(args[0]));
        long all = indices(args[0]);
        Callable<Void> generate = () -> windows.generate(all);
        Callable<Void> sign = () -> windows.sign(all);
        generate.call();
        sign.call();
        for (Callable<Void> work : java.util.List.of(generate, sign, windows::verify)) {
            window(work, WARM_US);
        }
        System.out.printf("library Bouncy Castle %s%n", new BouncyCastleProvider().getVersionStr());
        System.out.printf("built Java %s%nuses what Java compiles%nready%n", Runtime.version());
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            switch (input.nextLine()) {
                case "keygen" -> tell(window(generate, ENOUGH_US));
                case "sign" -> tell(window(sign, ENOUGH_US));
                case "verify" -> tell(window(windows::verify, ENOUGH_US));
                case "indices" -> windows.everyIndex(all);
                case "show" -> windows.show(all);
                default -> System.exit(1);
            }
            System.out.flush();
        }
    }

    /** How many signatures a key has, for the sets of one tree; else as good as endless. */
    private static long indices(String alg) {
        var height = java.util.regex.Pattern.compile("^(?:XMSS-[A-Z0-9]+_|LMS_SHA256_M32_H)([0-9]+)").matcher(alg);
        return height.find() ? 1L << Integer.parseInt(height.group(1)) : Long.MAX_VALUE;
    }

    private Void generate(long all) throws Exception {
        key = scheme.generate();
        left = all;
        return null;
    }

    private Void sign(long all) throws Exception {
        if (left == 0) {
            generate(all);
        }
        left--;
        signature = key.sign(message);
        return null;
    }

    private Void verify() throws Exception {
        if (!scheme.verify(key.publicKey(), message, signature)) {
            throw new IllegalStateException("its own signature");
        }
        return null;
    }

    private void show(long all) throws Exception {
        sign(all);
        HexFormat hex = HexFormat.of();
        System.out.printf("key %s%nsignature %s%n", hex.formatHex(key.publicKey()), hex.formatHex(signature));
    }

    private void everyIndex(long all) throws Exception {
        generate(all);
        StringBuilder times = new StringBuilder("times");
        for (long i = 0; i < all; i++) {
            double begun = now();
            sign(all);
            times.append(String.format(java.util.Locale.ROOT, " %.3f", now() - begun));
        }
        System.out.println(times);
    }

    private static double now() {
        return THREAD.getCurrentThreadCpuTime() / 1e3;
    }

    /** Calls until a window is full, and returns the mean. */
    private static double window(Callable<Void> work, double enough) throws Exception {
        double begun = now();
        double used = 0;
        int calls = 0;
        while (used < enough) {
            work.call();
            calls++;
            used = now() - begun;
        }
        return used / calls;
    }

    private static void tell(double us) {
        System.out.printf(java.util.Locale.ROOT, "us %.3f%n", us);
    }
}
