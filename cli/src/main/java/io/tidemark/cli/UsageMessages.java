// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;

/** Messages for wrong arguments, which replace those of picocli. */
final class UsageMessages {

  /** Position of an argument in picocli's messages; the help shows its label instead. */
  private static final Pattern POSITION =
      Pattern.compile("^Invalid value for positional parameter at index \\S+ \\(([^)]*)\\): ");

  private static final Pattern NONE_OF =
      Pattern.compile("expected one of \\[(.*)] \\(case-insensitive\\) but was '(.*)'$");

  private static final Pattern NO_NUMBER = Pattern.compile("'(.*)' is not an? (long|int)$");

  private UsageMessages() {}

  static String message(ParameterException e) {
    String said = POSITION.matcher(String.valueOf(e.getMessage())).replaceFirst("$1: ");
    Matcher word = NONE_OF.matcher(said);
    if (word.find()) {
      String known = word.group(1).toLowerCase(Locale.ROOT);
      return said.substring(0, word.start()) + "'" + word.group(2) + "' is none of " + known;
    }
    return NO_NUMBER
        .matcher(said)
        .replaceFirst("'$1' is no whole number, or is beyond what can be counted");
  }
}
