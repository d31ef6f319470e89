package io.github.verbs4j.bench.device;

import io.github.verbs4j.types.RemoteBuffer;

/** The other end is a second queue pair of this process. */
final class Loopback implements Link {

    private final Workload load;
    private final Endpoint remote;

    Loopback(DeviceChoice choice, Workload load) {
        this.load = load;
        this.remote = Endpoint.open(choice, load);
    }

    @Override
    public RemoteBuffer connect(Endpoint local) {
        remote.connect(local.address());
        if (load.operation().takesReceive()) {
            remote.postReceives();
        }
        local.connect(remote.address());
        return remote.buffer();
    }

    @Override
    public boolean takesReceivesHere() {
        return true;
    }

    @Override
    public void refill() {
        remote.refill();
    }

    @Override
    public void close() {
        remote.close();
    }
}
