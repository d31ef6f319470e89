package io.github.verbs4j.bench.device;

/** Opens the device, connects two queue pairs and WRITEs 8 bytes: a whole program. */
public final class FirstCompletion {

    /** What it says then, as the C twin does. */
    public static final String DONE = "done";

    private FirstCompletion() {}

    /**
     * Says when the WRITE has completed.
     *
     * @param args none
     */
    public static void main(String[] args) {
        try (Requester requester =
                new Requester(DeviceChoice.fromProperties(), Workload.single(Operation.WRITE, 8))) {
            requester.run(1);
            System.out.println(DONE);
            System.out.flush();
        }
    }
}
