// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/**
 * The state of a concern.
 *
 * @param watermark grows with each change: {@code t} for head and index, a counter for status and
 *     config
 * @param payload empty while the concern is unborn (watermark 0), or when it was cleared
 */
public record ConcernValue(long watermark, Optional<Payload> payload) {

  /** Created, and nothing there yet. Not to be confused with a record that doesn't exist. */
  public static final ConcernValue UNBORN = new ConcernValue(0, Optional.empty());

  public ConcernValue {
    if (watermark < 0) {
      throw new InvalidPayloadException(
          "a watermark can't be " + watermark + "; it starts at 0 and grows");
    }
  }

  public static ConcernValue of(long watermark, Payload payload) {
    return new ConcernValue(watermark, Optional.of(payload));
  }

  /** Returns whether nothing was ever there. */
  public boolean isUnborn() {
    return watermark == 0 && payload.isEmpty();
  }

  @Override
  public String toString() {
    return watermark + " " + payload.map(Payload::toJson).orElse("null");
  }
}
