// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.CollectionSettings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark features collection update COLLECTION}. */
@Command(
    name = "update",
    description = "Changes how a collection is; what isn't said stays as it is.",
    footer = {
      "",
      "Examples:",
      "  tidemark features collection update roads --max-age 365",
      "  tidemark features collection update roads --auto-purge on --id-prefix ''"
    })
final class CollectionUpdateCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private CollectionMixin collection;
  @Mixin private CollectionSettingsMixin options;

  @Override
  public Integer call() {
    CollectionSettings settings = options.settings();
    if (settings.equals(CollectionSettings.none())) {
      throw new ParameterException(
          spec.commandLine(), "say what is to be different, such as --max-age 365");
    }
    return collection.show(administration -> administration.update(settings));
  }
}
