package io.github.verbs4j.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The results as a table of text, which Markdown renders too. */
public final class Table {

    private final Run run;

    /**
     * A table.
     *
     * @param run what it shows
     */
    public Table(Run run) {
        this.run = run;
    }

    /** {@return the machine and one table per kind} */
    public String toMarkdown() {
        StringBuilder text = new StringBuilder();
        run.machine()
                .forEach(
                        (key, value) ->
                                text.append("* ")
                                        .append(key)
                                        .append(": ")
                                        .append(value)
                                        .append('\n'));
        Set<String> kinds = new LinkedHashSet<>();
        run.results().forEach(result -> kinds.add(result.kind()));
        for (String kind : kinds) {
            text.append('\n').append(format(rows(kind)));
            caveat(kind).ifPresent(line -> text.append('\n').append(line).append('\n'));
        }
        return text.toString();
    }

    /** What the intervals of a kind leave out, if they do. */
    Optional<String> caveat(String kind) {
        Set<String> single = new LinkedHashSet<>();
        List<String> repeated = new ArrayList<>();
        for (Result result : run.results()) {
            if (result.kind().equals(kind) && result.measurements().size() > 1) {
                List<String> once =
                        result.measurements().entrySet().stream()
                                .filter(side -> side.getValue().forks().length == 1)
                                .map(Map.Entry::getKey)
                                .toList();
                single.addAll(once);
                if (once.isEmpty()) {
                    repeated.add(result.title());
                }
            }
        }
        if (single.isEmpty()) {
            return Optional.empty();
        }
        String but =
                repeated.isEmpty()
                        ? ""
                        : " (but for " + String.join("; ", repeated) + ", measured again)";
        return Optional.of(
                "The brackets rest on one fork of "
                        + String.join("; ", single)
                        + but
                        + ": how forks differ is not in them.");
    }

    /** The rows of a kind; the first is the head. */
    List<List<String>> rows(String kind) {
        List<Result> results = run.results().stream().filter(r -> r.kind().equals(kind)).toList();
        Set<String> others = new LinkedHashSet<>();
        results.forEach(r -> others.addAll(r.measurements().keySet()));
        others.remove(Result.C);
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(kind, Result.C));
        for (String other : others) {
            head.addAll(List.of(other, other + " / C [95 %]", "B/op"));
        }
        rows.add(head);
        for (Result result : results) {
            rows.add(row(result, others));
        }
        return rows;
    }

    private static List<String> row(Result result, Set<String> others) {
        List<String> row = new ArrayList<>();
        row.add(result.title());
        Measurement c = result.measurements().get(Result.C);
        row.add(c == null ? "" : Units.value(c.median(), result.unit()));
        for (String other : others) {
            Measurement measured = result.measurements().get(other);
            if (measured == null) {
                row.addAll(List.of("", "", ""));
                continue;
            }
            row.add(Units.value(measured.median(), result.unit()));
            row.add(c == null ? "" : result.cost(other).toString());
            row.add(Units.allocation(measured.bytesPerOp()));
        }
        return row;
    }

    static String format(List<List<String>> rows) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < rows.size(); r++) {
            text.append(line(rows.get(r), widths));
            if (r == 0) {
                text.append('|');
                for (int i = 0; i < columns; i++) {
                    text.append("-".repeat(widths[i] + 1)).append(i == 0 ? "-|" : ":|");
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder text = new StringBuilder("|");
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - row.get(i).length());
            text.append(' ')
                    .append(i == 0 ? row.get(i) + padding : padding + row.get(i))
                    .append(" |");
        }
        return text.append('\n').toString();
    }
}
