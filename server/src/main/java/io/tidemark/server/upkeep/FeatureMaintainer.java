// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.upkeep;

import io.tidemark.features.Features;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.features.maintain.BackgroundMaintainer;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.names.NameService;

/**
 * Numbers transactions and maintains collections. Of several servers on one database each is ready
 * to, and one at a time does: that is agreed upon in the database.
 */
public record FeatureMaintainer(Sequencer sequencer, BackgroundMaintainer maintainer)
    implements AutoCloseable {

  /** Starts both; collections have their heads in these names. */
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
