// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options that show or approve a plan. */
final class ApprovalOptions {

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--apply", description = "Do it; without it, only say what would be done.")
  private boolean apply;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "What the preview told: do just that, or nothing.")
  private @Nullable String token;

  @Option(names = "--force", description = "Do it without having seen a preview.")
  private boolean force;

  @Option(names = "--meta", paramLabel = "K=V", description = "Kept in the commit's metadata.")
  private Map<String, String> meta = Map.of();

  /** Refuses options that don't go together. */
  void validate() {
    if (!apply && (token != null || force)) {
      throw new ParameterException(spec.commandLine(), "--token and --force go with --apply");
    }
    if (apply && force == (token != null)) {
      throw new ParameterException(
          spec.commandLine(),
          "--apply needs either the --token that the preview tells, or --force");
    }
  }

  boolean apply() {
    return apply;
  }

  boolean force() {
    return force;
  }

  Optional<String> token() {
    return Optional.ofNullable(token);
  }

  Map<String, String> meta() {
    return meta;
  }
}
