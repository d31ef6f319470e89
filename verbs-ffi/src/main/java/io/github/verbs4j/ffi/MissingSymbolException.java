package io.github.verbs4j.ffi;

/** The installed rdma-core is too old for a function. Everything else of it still works. */
public final class MissingSymbolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String symbol;

    MissingSymbolException(String symbol, String message) {
        super(message);
        this.symbol = symbol;
    }

    /** Returns the name of the C function. */
    public String symbol() {
        return symbol;
    }
}
