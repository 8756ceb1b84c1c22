// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.FeatureWrite;
import io.tidemark.names.RefusedException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark features delete COLLECTION ID...}. */
@Command(
    name = "delete",
    description =
        "Deletes features in one transaction. What isn't there is no error. Their last states"
            + " can still be read, and their history.",
    footer = {
      "",
      "Exit code 6: the feature isn't in the state that was expected, and stays.",
      "",
      "Examples:",
      "  tidemark features delete roads r1 r2",
      "  tidemark features delete roads r1 --expect store:roads:2026:11:16:7",
      "  tidemark features delete roads r1 --purge --yes"
    })
final class DeleteCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private WriteMixin target;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "Which features.")
  private List<String> ids = List.of();

  @Option(
      names = "--expect",
      paramLabel = "GUID",
      description = "The one feature must be in this state.")
  private @Nullable String expect;

  @Option(names = "--purge", description = "Leave their last states only in the history.")
  private boolean purge;

  @Option(names = "--yes", description = "Yes, purge; it can't be undone.")
  private boolean yes;

  @Override
  public Integer call() {
    if (expect != null && ids.size() != 1) {
      throw new ParameterException(
          spec.commandLine(), "--expect goes with one feature; there are " + ids.size());
    }
    if (purge && !yes) {
      throw new RefusedException("purging can't be undone; say --yes, or leave out --purge");
    }
    return target.write(ids.stream().map(this::write).toList());
  }

  private FeatureWrite write(String id) {
    FeatureWrite write = purge ? FeatureWrite.purge(id) : FeatureWrite.delete(id);
    return expect == null ? write : write.expecting(expect);
  }
}
