// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.cli.time.TimeExpression;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.view.Past;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * A past state of features, as the command line names it.
 *
 * @param text the transaction, or the time with its offset, as a server takes it
 * @param past the same for the library
 */
record Moment(String text, Past past) {

  /**
   * Reads an argument of a verb. Prints the instant that a local time means.
   *
   * @throws ParameterException when it is neither a transaction nor a time
   */
  static Moment parse(String text, CommandSpec verb) {
    if (Past.NUMBER.matcher(text).matches()) {
      return new Moment(text, transaction(text, verb));
    }
    Instant time =
        TimeExpression.parse(text)
            .orElseThrow(() -> unclear(text, verb))
            .resolve(ZonedDateTime.now(ZoneId.systemDefault()), verb.commandLine().getErr());
    return new Moment(time.toString(), new Past.When(time));
  }

  private static Past transaction(String text, CommandSpec verb) {
    try {
      return Past.parse(text);
    } catch (InvalidRequestException e) {
      throw new ParameterException(verb.commandLine(), e.getMessage(), e);
    }
  }

  private static ParameterException unclear(String text, CommandSpec verb) {
    return new ParameterException(
        verb.commandLine(),
        "'%s' is neither a transaction such as 2026111600000000007 nor a time such as %s"
            .formatted(text, TimeExpression.EXAMPLES));
  }
}
