// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The parts of a benchmark as people write them, in small letters.
 *
 * @param <P> those there are
 */
public abstract class PartConverter<P extends Enum<P>> implements ITypeConverter<P> {

  private final Class<P> parts;

  protected PartConverter(Class<P> parts) {
    this.parts = parts;
  }

  @Override
  public final P convert(String text) {
    return Stream.of(parts.getEnumConstants())
        .filter(part -> word(part).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException("there is no part '" + text + "'; write " + choice()));
  }

  private String choice() {
    List<String> words = Stream.of(parts.getEnumConstants()).map(PartConverter::word).toList();
    int last = words.size() - 1;
    return String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  private static String word(Enum<?> part) {
    return part.name().toLowerCase(Locale.ROOT);
  }
}
