package io.github.verbs4j.examples.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;

/**
 * Strangers in a process of their own, one after the other: a process for each would take most of
 * the time of the tests. Two peers of one process share what peers do not.
 */
public final class StrangerProcess implements AutoCloseable {

    private static final String READY = "ready";

    private final Process process;
    private final PrintStream orders;
    private final BufferedReader answers;

    private StrangerProcess(Process process) {
        this.process = process;
        orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the process. */
    public static StrangerProcess start() throws IOException {
        return new StrangerProcess(
                new ProcessBuilder(JavaTool.command(StrangerProcess.class))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start());
    }

    /** Listens on a TCP port, instead of what was listened on before. */
    public void tcp(int port, boolean talks) throws IOException {
        order("tcp localhost " + port + " " + talks);
    }

    /** Listens on a port of the connection manager, instead of what was listened on before. */
    public void rdma(InetAddress address, int port, boolean talks) throws IOException {
        order("rdma " + address.getHostAddress() + " " + port + " " + talks);
    }

    private void order(String what) throws IOException {
        orders.println(what);
        String answer = answers.readLine();
        if (!READY.equals(answer)) {
            throw new AssertionError(what + ": " + answer);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** The process: an order on each line of standard input. */
    public static void main(String... args) throws Exception {
        BufferedReader orders =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Stranger stranger = null;
        for (String line; (line = orders.readLine()) != null; ) {
            if (stranger != null) {
                stranger.close();
            }
            String[] words = line.split(" ");
            int port = Integer.parseInt(words[2]);
            boolean talks = Boolean.parseBoolean(words[3]);
            stranger =
                    words[0].equals("tcp")
                            ? Stranger.tcp(port, talks)
                            : Stranger.rdma(InetAddress.getByName(words[1]), port, talks);
            System.out.println(READY);
        }
    }
}
