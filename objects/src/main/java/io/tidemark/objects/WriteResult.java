// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.util.Optional;

/** Result of a conditional write or delete. Losing a race is a value, not an exception. */
public sealed interface WriteResult {

  /**
   * The object is there, in this version.
   *
   * @param etag the version that was written
   */
  record Written(ETag etag) implements WriteResult {}

  /**
   * The condition didn't hold; nothing was changed.
   *
   * @param current the version that was there right after, empty when there was no object
   */
  record PreconditionFailed(Optional<ETag> current) implements WriteResult, DeleteResult {}

  /** Returns whether this call's bytes are in the store. */
  default boolean written() {
    return this instanceof Written;
  }
}
