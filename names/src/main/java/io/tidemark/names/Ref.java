// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;

/**
 * Target of a head: an id and the {@code t} it stands for.
 *
 * @param id opaque and never empty text, a content id for Tidemark's own ledgers; absent while the
 *     head is unborn
 * @param t the watermark
 */
public record Ref(Optional<String> id, long t) {

  /** Ref of a head without a commit. */
  public static final Ref UNBORN = new Ref(Optional.empty(), 0);

  public Ref {
    if (id.isPresent() && id.get().isEmpty()) {
      throw new InvalidPayloadException("an id can't be empty; leave it out for unborn");
    }
    if (t < 0) {
      throw new InvalidPayloadException("t can't be " + t + "; it starts at 0 and grows");
    }
  }

  public static Ref of(String id, long t) {
    return new Ref(Optional.of(id), t);
  }
}
