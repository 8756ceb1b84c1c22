// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which past is meant: a commit or a time. */
final class AsOfOption {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--as-of",
      paramLabel = "N|TIME",
      description = "As of a commit, or a time such as 2026-02-10T12:00:00Z.")
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
    try {
      return atTime.apply(OffsetDateTime.parse(asOf).toInstant());
    } catch (DateTimeParseException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--as-of takes a commit such as 17, or a time such as 2026-02-10T12:00:00Z, unlike '"
              + asOf
              + "'");
    }
  }
}
