package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.OptionalInt;

/** A shared library of rdma-core, opened by soname when the first of its functions is called. */
public final class NativeLibrary {

    /** libibverbs: devices, memory, queues. */
    public static final NativeLibrary IBVERBS =
            new NativeLibrary("libibverbs.so.1", "libibverbs1 ibverbs-providers", "libibverbs");

    /** librdmacm: the connection manager and rsockets. */
    public static final NativeLibrary RDMACM =
            new NativeLibrary("librdmacm.so.1", "librdmacm1", "librdmacm");

    /** libmlx5: what the provider of NVIDIA's adapters has beside the verbs. */
    public static final NativeLibrary MLX5 =
            new NativeLibrary("libmlx5.so.1", "ibverbs-providers", "libibverbs");

    private final String soname;
    private final String debianPackages;
    private final String fedoraPackages;
    private volatile SymbolLookup symbols;

    NativeLibrary(String soname, String debianPackages, String fedoraPackages) {
        this.soname = soname;
        this.debianPackages = debianPackages;
        this.fedoraPackages = fedoraPackages;
    }

    /** Returns the soname, such as {@code libibverbs.so.1}. */
    public String soname() {
        return soname;
    }

    /**
     * Opens the library unless it is open already.
     *
     * @throws NativeLibraryMissingException if it is not installed; a later call tries again
     */
    public void load() {
        symbols();
    }

    /**
     * Returns whether the library exports a function, opening it if need be.
     *
     * @throws NativeLibraryMissingException if the library is not installed
     */
    public boolean exports(String name) {
        return symbols().find(name).isPresent();
    }

    MemorySegment symbol(String name) {
        return symbols().find(name).orElseThrow(() -> missing(name));
    }

    private SymbolLookup symbols() {
        SymbolLookup open = symbols;
        return open != null ? open : open();
    }

    private synchronized SymbolLookup open() {
        if (symbols == null) {
            try {
                symbols = Native.open(soname);
            } catch (IllegalArgumentException e) {
                throw new NativeLibraryMissingException(soname, howToInstall(), e);
            }
        }
        return symbols;
    }

    private String howToInstall() {
        return soname
                + " could not be loaded: it is not installed, or not for this architecture."
                + " Debian, Ubuntu: apt install "
                + debianPackages
                + "; Fedora, RHEL: dnf install "
                + fedoraPackages;
    }

    private MissingSymbolException missing(String name) {
        OptionalInt version = SymbolVersions.introducedIn(name);
        String reason =
                version.isPresent()
                        ? " needs rdma-core >= " + version.getAsInt() + "; the installed "
                        : " is not in the installed rdma-core; its ";
        return new MissingSymbolException(name, name + reason + soname + " does not have it");
    }
}
