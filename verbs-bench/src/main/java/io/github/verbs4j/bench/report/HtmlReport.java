package io.github.verbs4j.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.internal.chartpart.IChart;

/** A page that needs nothing but itself: tables, and plots as embedded images. */
public final class HtmlReport {

    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>verbs4j: Java and C</title>
            <style>
            body { font: 15px/1.5 sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em }
            table { border-collapse: collapse; margin: 1.5em 0 }
            th, td { padding: .2em .7em; border-bottom: 1px solid #ddd; text-align: right }
            th:first-child, td:first-child { text-align: left }
            img { max-width: 100%; margin: 1em 0 }
            </style></head><body>
            <h1>verbs4j: what Java costs compared with C</h1>
            <p>Medians. Ratios above 1 mean that Java is slower; in brackets the 95 % confidence
            interval, by bootstrap over forks and the iterations of each.</p>
            """;

    private HtmlReport() {}

    /**
     * Writes the page.
     *
     * @param run what it shows
     * @param witness what another program measured, as text; empty if none did
     * @param file where
     * @throws IOException when it cannot be written
     */
    public static void write(Run run, String witness, Path file) throws IOException {
        StringBuilder page = new StringBuilder(HEAD).append("<ul>\n");
        run.machine()
                .forEach(
                        (key, value) ->
                                page.append("<li>")
                                        .append(escape(key + ": " + value))
                                        .append("</li>\n"));
        page.append("</ul>\n");
        for (IChart chart : Charts.of(run)) {
            byte[] png = ChartEncoder.getBytes(chart, "png");
            page.append("<img alt=\"plot\" src=\"data:image/png;base64,")
                    .append(Base64.getEncoder().encodeToString(png))
                    .append("\">\n");
        }
        Set<String> kinds = new LinkedHashSet<>();
        run.results().forEach(result -> kinds.add(result.kind()));
        for (String kind : kinds) {
            Table table = new Table(run);
            table(page, table.rows(kind));
            table.caveat(kind)
                    .ifPresent(line -> page.append("<p>").append(escape(line)).append("</p>\n"));
        }
        Details details = new Details(run);
        table(page, details.bandwidth());
        table(page, details.percentiles());
        if (!witness.isBlank()) {
            page.append("<h2>perftest</h2>\n<pre>").append(escape(witness)).append("</pre>\n");
        }
        WholeFile.write(file, page.append("</body></html>\n").toString());
    }

    /** The first row is the head; a head alone is left out. */
    private static void table(StringBuilder page, List<List<String>> rows) {
        if (rows.size() < 2) {
            return;
        }
        page.append("<table>\n");
        for (int r = 0; r < rows.size(); r++) {
            String tag = r == 0 ? "th" : "td";
            page.append("<tr>");
            for (String cell : rows.get(r)) {
                page.append('<' + tag + '>').append(escape(cell)).append("</" + tag + '>');
            }
            page.append("</tr>\n");
        }
        page.append("</table>\n");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
