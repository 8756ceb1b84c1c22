// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Progress of a load.
 *
 * @param phase the current phase
 * @param rows features read so far
 * @param bytes bytes of the input read so far, as it is stored
 * @param totalBytes size of the input; empty when unknown
 * @param tables tables whose keys are built, of sixteen or one
 * @param elapsed time since the load began
 */
public record LoadProgress(
    Phase phase, long rows, long bytes, OptionalLong totalBytes, int tables, Duration elapsed) {

  /** Phases of a load, in order. */
  public enum Phase {
    COPY,
    KEYS,
    ATTACH
  }
}
