package io.github.verbs4j.examples.cm;

import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What {@code rstream} transfers: a size of the user's, or some, or all. */
final class StreamSizes implements Checked {

    private static final int ALL = 0;
    private static final int[] SOME = {1 << 6, 1 << 12, 1 << 16, 1 << 20};
    private static final int SMALLEST = 1 << 6;
    private static final int LARGEST = 1 << 22;

    @Option(names = "-I", paramLabel = "N", description = "Repeat it N times (default: 1).")
    private Integer iterations;

    @Option(
            names = "-C",
            paramLabel = "N",
            description = "Send N transfers, then take N back (default: 1000).")
    private Integer count;

    @Option(
            names = "-S",
            paramLabel = "BYTES",
            converter = Size.class,
            description = "Size of a transfer (default: 1000), or all, for the tests of all sizes.")
    private Integer size;

    /** What a connection is tuned for. */
    enum Goal {
        MIXED,
        LATENCY,
        BANDWIDTH
    }

    /** The tests of one connection. */
    record Series(Goal goal, List<Test> tests) {}

    /** A line of the report. */
    record Test(String name, int size, int count, int iterations) {

        private static Test latency(int size) {
            return new Test(StreamReport.size(size) + "_lat", size, 1, repetitions(size));
        }

        private static Test bandwidth(int size) {
            return new Test(StreamReport.size(size) + "_bw", size, repetitions(size), 1);
        }

        private static int repetitions(int size) {
            if (size < 1 << 10) {
                return 100_000;
            }
            if (size < 1 << 16) {
                return 10_000;
            }
            return size < 1 << 20 ? 1000 : 100;
        }
    }

    @Override
    public void check() {
        Arguments.range(1, 1_000_000_000, "-I", or(iterations, 1));
        Arguments.range(1, 1_000_000_000, "-C", or(count, 1000));
        Arguments.range(0, 1 << 30, "-S", or(size, 1000));
    }

    private static int or(Integer value, int otherwise) {
        return value == null ? otherwise : value;
    }

    private boolean isCustom() {
        return iterations != null || count != null || size != null && size != ALL;
    }

    List<Series> series() {
        if (isCustom()) {
            Test test =
                    new Test(
                            "custom",
                            size == null || size == ALL ? 1000 : size,
                            or(count, 1000),
                            or(iterations, 1));
            return List.of(new Series(Goal.MIXED, List.of(test)));
        }
        List<Integer> sizes = sizes().boxed().toList();
        return List.of(
                new Series(Goal.LATENCY, sizes.stream().map(Test::latency).toList()),
                new Series(Goal.BANDWIDTH, sizes.stream().map(Test::bandwidth).toList()));
    }

    /** All are the powers of two, and what is halfway to the next. */
    private IntStream sizes() {
        return size == null
                ? IntStream.of(SOME)
                : IntStream.concat(
                        IntStream.of(SMALLEST),
                        IntStream.iterate(
                                        SMALLEST * 2, power -> power <= LARGEST, power -> power * 2)
                                .flatMap(power -> IntStream.of(power, power + power / 2)));
    }

    /** {@return the bytes that a buffer for any of it needs} */
    long largest() {
        return series().stream()
                .flatMap(each -> each.tests().stream())
                .mapToInt(Test::size)
                .reduce(16, Math::max);
    }

    /** A number, or all. */
    static final class Size implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (text.equalsIgnoreCase("all")) {
                return ALL;
            }
            int size = new CNumber().convert(text);
            if (size < 1) {
                throw new TypeConversionException("'" + text + "' is not 1 or more");
            }
            return size;
        }
    }
}
