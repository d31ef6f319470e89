package io.github.verbs4j.examples.cm;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number as C programs take it: 16, 0x10 or 020. */
final class CNumber implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) {
        try {
            return Integer.decode(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is no number such as 16 or 0x10");
        }
    }
}
