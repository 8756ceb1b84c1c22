// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.collection.CollectionExistsException;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.collection.Creation;
import io.tidemark.features.geojson.GeoJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark features collection create COLLECTION}. */
@Command(
    name = "create",
    description = "Makes an empty collection.",
    footer = {
      "",
      "Ids have up to 32 of a-z, 0-9, _, : and -, and begin with a letter.",
      "",
      "Exit code 6: there is one by that id already. 4: the id or an option isn't",
      "allowed.",
      "",
      "Examples:",
      "  tidemark features collection create roads",
      "  tidemark features collection create stops --points-only --max-age 365"
    })
final class CollectionCreateVerb implements Callable<Integer> {

  @Mixin private CollectionChoice collection;
  @Mixin private CollectionSettings settings;

  @Option(
      names = "--one-table",
      description = "One table instead of sixteen, for a small collection. Stays so.")
  private boolean oneTable;

  @Option(names = "--points-only", description = "Takes no other geometries. Stays so.")
  private boolean pointsOnly;

  @Override
  public Integer call() {
    CollectionOptions options = settings.addedTo(CollectionOptions.none());
    options = oneTable ? options.unpartitioned() : options;
    CollectionOptions chosen = pointsOnly ? options.pointsOnly() : options;
    String id = collection.id();
    return collection.show(
        collection.change(
            all -> created(all.create(id, chosen)),
            server -> server.create(id, GeoJson.object(chosen.json()))));
  }

  private static JsonNode created(Creation creation) {
    if (creation instanceof Creation.Exists there) {
      throw new CollectionExistsException(there.info());
    }
    return ((Creation.Created) creation).info().json();
  }
}
