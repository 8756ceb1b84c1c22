// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.features.db.JdbcUrl;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of the replicas that may be read in place of the database. */
public final class ReplicaOptions {

  private static final String NAME = "--replica";

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = NAME,
      paramLabel = "URL",
      split = "\\s+",
      defaultValue = "${env:TIDEMARK_JDBC_REPLICAS:-}",
      description = {
        "A replica of the database, to be read in its place;",
        "can be repeated. What was written a moment ago may",
        "not be there yet.",
        "Default: $TIDEMARK_JDBC_REPLICAS, with blanks",
        "between, if the database is that of $TIDEMARK_JDBC"
      })
  private List<String> replicas = List.of();

  /**
   * Returns the addresses of the replicas, with passwords; may be empty. Those of the environment
   * are replicas of the database that it names, and of no other.
   *
   * @param option option by which another database can be given
   */
  public List<String> urls(String option) {
    boolean another =
        spec.commandLine().getParseResult().hasMatchedOption(option)
            || System.getenv("TIDEMARK_JDBC") == null;
    if (another && !given()) {
      return List.of();
    }
    return replicas.stream()
        .filter(url -> !url.isEmpty())
        .map(FeatureStorageMixin::withEnvironmentPassword)
        .map(JdbcUrl::secret)
        .toList();
  }

  /** Returns whether replicas were given on the command line, so that ignoring them is reported. */
  public boolean given() {
    return spec.commandLine().getParseResult().hasMatchedOption(NAME);
  }
}
