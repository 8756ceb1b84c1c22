// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.features.collection.CollectionOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a collection is to be: what can be said when it is created, and later on. */
final class CollectionSettings {

  @Option(
      names = "--history",
      paramLabel = "on|off",
      description = "Whether states that are replaced are kept. Default: on")
  private @Nullable Switch history;

  @Option(
      names = "--max-age",
      paramLabel = "DAYS",
      description = "For how long replaced states are kept. Default: 36500")
  private @Nullable Long maxAge;

  @Option(
      names = "--auto-purge",
      paramLabel = "on|off",
      description = "Whether deleted features are only in the history. Default: off")
  private @Nullable Switch autoPurge;

  @Option(
      names = "--optimal-partitioning",
      paramLabel = "on|off",
      description = "Whether 'maintain' counts features by place, in parts. Default: off")
  private @Nullable Switch partitioning;

  @Option(
      names = "--id-prefix",
      paramLabel = "TEXT",
      description = "What is taken off the beginning of ids; '' for nothing.")
  private @Nullable String idPrefix;

  @Option(
      names = "--default-author",
      paramLabel = "NAME",
      description = "The author of what nobody in particular creates; '' for the application.")
  private @Nullable String author;

  /** On or off. */
  enum Switch {
    ON,
    OFF
  }

  /** What was said, added to what was chosen before. */
  CollectionOptions addedTo(CollectionOptions before) {
    CollectionOptions options = before;
    if (history != null) {
      options = history == Switch.ON ? options.withHistory() : options.withoutHistory();
    }
    if (autoPurge != null) {
      options = autoPurge == Switch.ON ? options.purgingDeleted() : options.keepingDeleted();
    }
    if (partitioning != null) {
      options =
          partitioning == Switch.ON
              ? options.optimalPartitioning()
              : options.noOptimalPartitioning();
    }
    options = maxAge == null ? options : options.maxAge(maxAge);
    if (idPrefix != null) {
      options = idPrefix.isEmpty() ? options.noIdPrefix() : options.idPrefix(idPrefix);
    }
    if (author != null) {
      options = author.isEmpty() ? options.noAuthor() : options.author(author);
    }
    return options;
  }

  /** Whether nothing was said. */
  boolean isEmpty() {
    return history == null
        && maxAge == null
        && autoPurge == null
        && partitioning == null
        && idPrefix == null
        && author == null;
  }
}
