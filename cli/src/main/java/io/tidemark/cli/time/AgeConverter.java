// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.time;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 90s}, {@code 30m}, {@code 24h} and {@code 7d}. */
public final class AgeConverter implements ITypeConverter<Duration> {

  private static final Pattern AGE = Pattern.compile("([0-9]{1,9})([smhd])");

  @Override
  public Duration convert(String text) {
    Matcher matcher = AGE.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("'" + text + "' is no age; say 90s, 30m, 24h or 7d");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
