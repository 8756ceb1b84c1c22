// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.features.Features;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.features.maintain.BackgroundMaintainer;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.names.NameService;

/**
 * Background work on features: numbers transactions and maintains collections. Of several servers
 * on one database only one is active at a time; they coordinate through the database.
 */
public record FeatureMaintainer(Sequencer sequencer, BackgroundMaintainer maintainer)
    implements AutoCloseable {

  /** Starts both; the heads of collections are in these names. */
  public static FeatureMaintainer start(Features features, NameService names) {
    Sequencer sequencer =
        features.log().startSequencer(SequencerOptions.defaults().publishingTo(names));
    return new FeatureMaintainer(sequencer, features.startMaintainer(MaintainOptions.defaults()));
  }

  @Override
  public void close() {
    try (sequencer) {
      maintainer.close();
    }
  }
}
