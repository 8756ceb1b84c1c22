// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Status of a sequencer.
 *
 * @param leading whether this sequencer gives the numbers; if not, another one does, or none can
 * @param failure why it can't work at the moment; null when it can
 * @param lagging the collections whose head in the nameservice isn't where it should be, with the
 *     reason; each round tries again
 */
public record SequencerStatus(
    boolean leading, @Nullable String failure, Map<String, String> lagging) {

  public SequencerStatus {
    lagging = Map.copyOf(lagging);
  }
}
