package io.github.verbs4j.examples.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Prints rows in aligned columns, each as soon as it is known. */
public final class Table {

    private record Column(String title, int width, boolean right) {
        String pad(String text) {
            return ("%" + (right ? "" : "-") + width + "s").formatted(text);
        }
    }

    private final PrintStream out;
    private final List<Column> columns = new ArrayList<>();

    /** A table without columns. */
    public Table(PrintStream out) {
        this.out = out;
    }

    /** Adds a column of text. */
    public Table left(String title, int width) {
        columns.add(new Column(title, width, false));
        return this;
    }

    /** Adds a column of numbers. */
    public Table right(String title, int width) {
        columns.add(new Column(title, width, true));
        return this;
    }

    /** Prints the titles. */
    public Table header() {
        print(columns.stream().map(Column::title).toList());
        print(columns.stream().map(column -> "-".repeat(column.width())).toList());
        return this;
    }

    /** Prints a row. */
    public void row(Object... cells) {
        print(List.of(cells));
    }

    private void print(List<?> cells) {
        List<String> padded = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            padded.add(columns.get(i).pad(cells.get(i).toString()));
        }
        out.println(String.join("  ", padded).stripTrailing());
    }
}
