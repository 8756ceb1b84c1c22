// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a sequencer is doing.
 *
 * @param leading whether it is the one that numbers; if not, another one does, or none can
 * @param failure why it can't work at the moment; null when it can
 * @param lagging the collections whose head in the nameservice isn't where it should be, with the
 *     reason; it is tried again with each round
 */
public record SequencerStatus(
    boolean leading, @Nullable String failure, Map<String, String> lagging) {

  public SequencerStatus {
    lagging = Map.copyOf(lagging);
  }
}
