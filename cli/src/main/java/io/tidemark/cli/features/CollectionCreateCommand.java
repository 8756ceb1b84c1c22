// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.CollectionSettings;
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
final class CollectionCreateCommand implements Callable<Integer> {

  @Mixin private CollectionMixin collection;
  @Mixin private CollectionSettingsMixin options;

  @Option(
      names = "--one-table",
      description = "One table instead of sixteen, for a small collection. Stays so.")
  private boolean oneTable;

  @Option(names = "--points-only", description = "Takes no other geometries. Stays so.")
  private boolean pointsOnly;

  @Override
  public Integer call() {
    CollectionSettings settings = options.settings(oneTable, pointsOnly);
    return collection.show(administration -> administration.create(settings));
  }
}
