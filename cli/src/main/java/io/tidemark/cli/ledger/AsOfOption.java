// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.api.ledger.AsOf;
import io.tidemark.cli.time.TimeExpression;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Option for a past state: a commit or a time. */
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

  /** Returns the past state that was asked for, with a time resolved by the clock here. */
  Optional<AsOf> moment() {
    if (asOf == null) {
      return Optional.empty();
    }
    if (AsOf.COMMIT.matcher(asOf).matches()) {
      return Optional.of(AsOf.commit(Long.parseLong(asOf)));
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
    return Optional.of(AsOf.time(time));
  }
}
