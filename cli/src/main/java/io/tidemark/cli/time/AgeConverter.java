// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.time;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of ages such as {@code 90s}, {@code 30m}, {@code 24h}, {@code 7d} and {@code 2w}. */
public final class AgeConverter implements ITypeConverter<Duration> {

  private static final Pattern AGE = Pattern.compile("([0-9]{1,9})([smhdw])");

  @Override
  public Duration convert(String text) {
    Matcher matcher = AGE.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("'" + text + "' is no age; say 90s, 30m, 24h, 7d or 2w");
    }
    return unit(matcher.group(2)).multipliedBy(Long.parseLong(matcher.group(1)));
  }

  /** Returns the duration that one of these letters stands for. */
  static Duration unit(String letter) {
    return switch (letter) {
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      default -> Duration.ofDays(7);
    };
  }
}
