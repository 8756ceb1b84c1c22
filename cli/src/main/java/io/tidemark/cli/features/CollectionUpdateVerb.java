// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.GeoJson;
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
final class CollectionUpdateVerb implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private CollectionChoice collection;
  @Mixin private CollectionSettings settings;

  @Override
  public Integer call() {
    if (settings.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "say what is to be different, such as --max-age 365");
    }
    CollectionOptions wanted = settings.addedTo(CollectionOptions.none());
    String id = collection.id();
    return collection.show(
        collection.change(
            all -> all.update(id, wanted).json(),
            server -> server.update(id, GeoJson.object(wanted.json()))));
  }
}
