package io.github.verbs4j.examples.cm;

import io.github.verbs4j.cm.JoinFlag;
import io.github.verbs4j.cm.SyncCmId;
import io.github.verbs4j.cm.UdParam;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Sends datagrams to a multicast group, or receives them. Twin of {@code mckey}, which may be any
 * member.
 */
@Command(
        name = "mckey",
        description = {
            "Send datagrams to a multicast group, or receive from it (as mckey).",
            "",
            "Start it with -m and the group's address on every side that receives, then with -s,"
                + " too, on the one that sends, with the same -c, -C and -S. One datagram reaches"
                + " every member, except those that had no receive posted, and nobody is told. The"
                + " C tool may be any side."
        })
public final class Mckey implements Callable<Integer>, Checked {

    private static final Duration RESOLVE = Duration.ofSeconds(2);

    /** What the C tool gives the network to learn of new members. */
    private static final Duration SETTLE = Duration.ofSeconds(3);

    @Option(
            names = "-m",
            paramLabel = "GROUP",
            required = true,
            description = "The group: an IPv4 or IPv6 multicast address, such as 239.1.2.3.")
    private String groupName;

    @Option(names = "-s", description = "Send; without it, receive.")
    private boolean sender;

    @Option(names = "-o", description = "Join as one that only sends.")
    private boolean sendOnly;

    @Option(names = "-M", paramLabel = "GROUP", hidden = true)
    void unmapped(String group) {
        throw Arguments.wrong(
                "option -M is not supported: only InfiniBand has groups without an IP address");
    }

    @Option(names = "-l", hidden = true)
    void noLoopback(boolean on) {
        throw Arguments.wrong(
                "option -l is not supported: Soft-RoCE has no queue pairs that do not hear their"
                        + " own machine");
    }

    @Mixin private DatagramOptions options;

    private final Resources open = new Resources();
    private final List<DatagramEnd> ends = new ArrayList<>();

    @Override
    public void check() {
        if (sendOnly && !sender) {
            throw Arguments.wrong("-o needs -s: one that only sends receives nothing");
        }
    }

    @Override
    public Integer call() throws Exception {
        System.out.println("mckey: starting " + (sender ? "client" : "server"));
        options.checkNetwork();
        InetAddress group = group();
        try (open) {
            System.out.println("mckey: joining");
            while (ends.size() < options.connections) {
                join(group);
            }
            if (options.messages > 0) {
                transfer();
            }
            for (DatagramEnd end : ends) {
                end.id().id().leaveMulticast(group);
            }
        }
        System.out.println("test complete");
        System.out.println("return status 0");
        return 0;
    }

    private InetAddress group() {
        InetAddress group = Address.of(groupName, 0).getAddress();
        if (!group.isMulticastAddress()) {
            throw Arguments.wrong(
                    "%s is no multicast group; those are 224.0.0.0 to 239.255.255.255 and ff00::/8",
                    groupName);
        }
        return group;
    }

    // @start region=mc-join
    private void join(InetAddress group) throws Exception {
        DatagramEnd end = open.add(new DatagramEnd(resolve(group), options));
        ends.add(end);
        if (!sender) {
            end.postReceives();
        }
        JoinFlag flag = sendOnly ? JoinFlag.SENDONLY_FULLMEMBER : JoinFlag.FULLMEMBER;
        UdParam joined = end.id().joinMulticast(group, flag, options.patience.get());
        report(joined.ahAttr());
        end.sendTo(joined);
    }

    // @end

    /** There is no path to find: this only chooses the device, by the network it is on. */
    private SyncCmId resolve(InetAddress group) throws Exception {
        SyncCmId id = SyncCmId.create(options.portSpace);
        try {
            InetSocketAddress local = options.local == null ? null : Address.of(options.local, 0);
            id.resolveAddr(local, new InetSocketAddress(group, 0), RESOLVE);
            return id;
        } catch (Exception e) {
            id.close();
            if (e instanceof VerbsException failed && failed.errno() == Errno.ENETUNREACH) {
                throw new ExampleException(
                        "there is no route to %s; -b, a local address, says which network is meant",
                        groupName);
            }
            throw e;
        }
    }

    private static void report(AhAttr group) {
        System.out.printf(
                "mckey: joined dgid: %s mlid 0x%x sl %d%n",
                group.grh().dgid(), group.dlid(), group.sl());
    }

    private void transfer() throws InterruptedException {
        if (sender) {
            Thread.sleep(SETTLE);
            System.out.println("initiating data transfers");
            for (DatagramEnd end : ends) {
                end.sendAll();
            }
        } else {
            System.out.println("receiving data transfers");
            for (DatagramEnd end : ends) {
                end.receiveAll();
            }
        }
        System.out.println("data transfers complete");
    }
}
