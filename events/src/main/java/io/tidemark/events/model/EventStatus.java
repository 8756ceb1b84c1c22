// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/** How far an event is, all handlers taken together; the first of these that is true of any. */
public enum EventStatus {
  /** A handler has given it up. */
  DEAD_LETTERED,
  /** A handler is through with it. */
  ACKED,
  /** A handler is at work on it. */
  CLAIMED,
  /** It waits. */
  PENDING
}
