// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How far a load is.
 *
 * @param phase what is being done
 * @param rows features that were read so far
 * @param bytes bytes of the input that were read so far, as it is stored
 * @param totalBytes how many there are; empty when nobody knows
 * @param tables tables whose keys are built, of sixteen or one
 * @param elapsed time since the load began
 */
public record LoadProgress(
    Phase phase, long rows, long bytes, OptionalLong totalBytes, int tables, Duration elapsed) {

  /** What a load does, one after the other. */
  public enum Phase {
    COPY,
    KEYS,
    ATTACH
  }
}
