// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Progress of a load.
 *
 * @param phase phase of the load
 * @param rows number of features read; 0 while they are sent to a server
 * @param bytes number of bytes read or sent, as they are stored
 * @param totalBytes number of bytes there are, if that is known
 * @param tables number of tables whose keys are built, of sixteen or one
 * @param elapsed time since the load began
 */
public record FeatureLoadProgress(
    Phase phase, long rows, long bytes, OptionalLong totalBytes, int tables, Duration elapsed) {

  /** Phase of a load. */
  public enum Phase {
    /** The file is sent to a server, which tells nothing of what follows. */
    SEND,
    COPY,
    KEYS,
    ATTACH
  }

  /** Returns the number of features a second since the load began. */
  public double rate() {
    return rows / Math.max(1e-3, elapsed.toNanos() / 1e9);
  }
}
