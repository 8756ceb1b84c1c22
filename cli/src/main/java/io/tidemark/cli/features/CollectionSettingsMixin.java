// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import io.tidemark.api.features.CollectionSettings;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the settings of a collection that can be given at any time. */
final class CollectionSettingsMixin {

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

  /** State of a setting that is on or off. */
  enum Switch {
    ON,
    OFF;

    private static Optional<Boolean> isOn(@Nullable Switch given) {
      return Optional.ofNullable(given).map(ON::equals);
    }
  }

  /** Returns the settings that were given. */
  CollectionSettings settings() {
    CollectionSettings settings =
        CollectionSettings.none()
            .withHistoryEnabled(Switch.isOn(history))
            .withAutoPurge(Switch.isOn(autoPurge))
            .withOptimalPartitioning(Switch.isOn(partitioning))
            .withMaxAge(maxAge == null ? OptionalLong.empty() : OptionalLong.of(maxAge));
    settings = idPrefix == null ? settings : settings.idPrefix(idPrefix);
    return author == null ? settings : settings.author(author);
  }

  /**
   * Returns the settings of a new collection.
   *
   * @param oneTable whether it has one table instead of sixteen
   * @param pointsOnly whether it refuses other geometries
   */
  CollectionSettings settings(boolean oneTable, boolean pointsOnly) {
    return settings()
        .withPartitioned(oneTable ? Optional.of(false) : Optional.empty())
        .withPointsOnly(pointsOnly ? Optional.of(true) : Optional.empty());
  }
}
