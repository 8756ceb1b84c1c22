// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

/** Result of a delete: {@link Deleted}, or {@link WriteResult.PreconditionFailed}. */
public sealed interface DeleteResult permits DeleteResult.Deleted, WriteResult.PreconditionFailed {

  /** The object is gone, or was not there to begin with and nothing was expected of it. */
  enum Deleted implements DeleteResult {
    DELETED
  }

  /** Returns whether the object is gone by this call. */
  default boolean deleted() {
    return this instanceof Deleted;
  }
}
