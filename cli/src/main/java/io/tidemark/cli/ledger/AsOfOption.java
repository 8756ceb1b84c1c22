// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.cli.time.TimeExpression;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option for a past state: a commit or a time. */
final class AsOfOption {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--as-of",
      paramLabel = "N|TIME",
      description = {
        "As of a commit, or a time: 2026-11-18T14:30:00Z,",
        "\"2026-11-18 14:30\", 2026-11-18, yesterday,",
        "\"2 hours ago\". Without an offset it is local."
      })
  private @Nullable String asOf;

  boolean isGiven() {
    return asOf != null;
  }

  /** What is asked, at the moment that was given. */
  <Q> Q of(Q now, LongFunction<Q> atCommit, Function<Instant, Q> atTime) {
    if (asOf == null) {
      return now;
    }
    if (asOf.matches("-?[0-9]{1,18}")) {
      return atCommit.apply(Long.parseLong(asOf));
    }
    Instant time =
        TimeExpression.parse(asOf)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--as-of takes a commit such as 17, or a time such as "
                            + TimeExpression.EXAMPLES
                            + ", unlike '"
                            + asOf
                            + "'"))
            .resolve(ZonedDateTime.now(ZoneId.systemDefault()), spec.commandLine().getErr());
    return atTime.apply(time);
  }
}
