package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.ibv_mw;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.MwType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What the requests of one batch do to memory windows. Each is checked against the state that those
 * before it lead to, and changes it at once; if the batch is then not posted, all is undone. Used
 * with the {@link WindowPosts} locked.
 */
final class BatchWindows {

    private final WindowPosts posts;
    private final List<Runnable> undo = new ArrayList<>();
    private final List<NativeHandle> entered = new ArrayList<>();
    private final List<MemoryWindow> bound = new ArrayList<>();

    BatchWindows(WindowPosts posts) {
        this.posts = posts;
    }

    void apply(SendRecord request) {
        switch (request.posted()) {
            case BIND_MW -> bind(request);
            case LOCAL_INV -> localInv(request);
            case SEND_WITH_INV -> sendInv(request);
            default -> {}
        }
    }

    private void bind(SendRecord request) {
        MemoryWindow window = request.window;
        MwBind target = request.bind;
        if (window == null || target == null) {
            throw SendRecord.changed();
        }
        posts.checkBind(window, target, MwType.TYPE_2);
        WindowBinding binding = window.binding();
        NativeHandle region = target.mr().nativeHandle();
        MemorySegment mw = enter(window.nativeHandle());
        MemorySegment mr = enter(region);
        synchronized (binding) {
            if (binding.isBound()) {
                throw WindowPosts.notBindable(window);
            }
            int before = binding.rkey();
            int rkey = DeviceMemoryVerbs.ibv_inc_rkey(before);
            request.placeBind(mw, before, rkey, mr, target);
            bound.add(window);
            binding.bound(posts, region, rkey);
            undo.add(
                    () -> {
                        synchronized (binding) {
                            binding.unbound();
                            binding.opened(window.nativeHandle(), before);
                        }
                    });
        }
    }

    private void localInv(SendRecord request) {
        MemoryWindow window = request.window;
        if (window == null) {
            throw SendRecord.changed();
        }
        WindowBinding binding = window.binding();
        enter(window.nativeHandle());
        synchronized (binding) {
            if (!binding.isBoundOn(posts)) {
                throw WindowPosts.notInvalidatable(window);
            }
            NativeHandle region = binding.region();
            enter(region);
            int rkey = binding.rkey();
            request.placeInvalidation(rkey);
            binding.invalidating();
            undo.add(() -> binding.bound(posts, region, rkey));
        }
    }

    private void sendInv(SendRecord request) {
        int rkey = request.rkey;
        posts.invalidate(rkey);
        request.placeInvalidation(rkey);
        undo.add(() -> posts.notInvalidated(rkey));
    }

    private MemorySegment enter(NativeHandle handle) {
        MemorySegment pointer = handle.acquire();
        entered.add(handle);
        return pointer;
    }

    /** Ends the batch; what it did to the windows stays only if it was posted. */
    void end(boolean posted) {
        if (!posted) {
            for (Runnable change : undo.reversed()) {
                change.run();
            }
        }
        for (MemoryWindow window : bound) {
            // Providers take it for the present key at the next bind, and leave it alone.
            ibv_mw.rkey(
                    Structs.view(window.nativeHandle().pointer(), ibv_mw.sizeof()), window.rkey());
        }
        for (NativeHandle handle : entered) {
            handle.release();
        }
    }
}
