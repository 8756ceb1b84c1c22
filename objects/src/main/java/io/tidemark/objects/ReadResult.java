// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

/**
 * Result of a read.
 *
 * @param <T> the form in which the content comes
 */
public sealed interface ReadResult<T> {

  /**
   * The object, in one version.
   *
   * @param etag the version
   * @param content its bytes
   */
  record Found<T>(ETag etag, T content) implements ReadResult<T> {}

  /** The object is still in the version the reader knows; no content was fetched. */
  record NotModified<T>() implements ReadResult<T> {}

  /** There is no object under that key. */
  record Absent<T>() implements ReadResult<T> {}
}
