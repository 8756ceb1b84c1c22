// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

/**
 * Observer of each request that an {@link ObjectStore} makes of its backend, also those in vain.
 */
@FunctionalInterface
public interface RequestObserver {

  /** Kind of request. */
  enum Kind {
    GET,
    HEAD,
    PUT,
    DELETE,
    LIST
  }

  /** Outcome of the request. */
  enum Result {
    /** As asked. */
    OK,
    /** There is no such object. */
    ABSENT,
    /** The reader knows the version that is there. */
    UNCHANGED,
    /** The condition of a write didn't hold: another was faster. */
    LOST,
    /** The store can't be reached. */
    UNAVAILABLE,
    /** A write whose answer was lost. */
    UNKNOWN,
    /** In any other way. */
    FAILED
  }

  /** Must be quick and not fail. */
  void onRequest(Kind kind, Result result, long nanos);
}
