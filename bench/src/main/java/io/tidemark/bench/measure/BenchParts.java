// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.measure;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/**
 * The parts of a benchmark that can be measured alone, and the option {@code --only} that chooses
 * some. It is made by hand, since an annotation can't say what another benchmark's parts are.
 *
 * @param <P> those there are
 */
@Command
public final class BenchParts<P extends Enum<P>> {

  private final Class<P> known;
  private final OptionSpec only;

  /** All of them, unless some are chosen. */
  public BenchParts(Class<P> known) {
    this.known = known;
    this.only =
        OptionSpec.builder("--only")
            .paramLabel("PART")
            .type(List.class)
            .auxiliaryTypes(known)
            .splitRegex(",")
            .converters(this::part)
            .description("Only some of: " + String.join(", ", words()) + ".")
            .build();
  }

  @Spec(Target.MIXEE)
  void addOption(CommandSpec verb) {
    verb.addOption(only);
  }

  /** Those that are to be measured, in their order. */
  public Set<P> chosen() {
    @Nullable List<P> given = only.getValue();
    return given == null ? EnumSet.allOf(known) : EnumSet.copyOf(given);
  }

  /** A part as people write it, in small letters. */
  private P part(String text) {
    return Stream.of(known.getEnumConstants())
        .filter(each -> word(each).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException("there is no part '" + text + "'; write " + choice()));
  }

  private String choice() {
    List<String> words = words();
    int last = words.size() - 1;
    return String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  private List<String> words() {
    return Stream.of(known.getEnumConstants()).map(BenchParts::word).toList();
  }

  private static String word(Enum<?> part) {
    return part.name().toLowerCase(Locale.ROOT);
  }
}
