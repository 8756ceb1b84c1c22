// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

/** Status of an event over all handlers: the first of these that holds for any of them. */
public enum EventStatus {
  /** A handler has given it up. */
  DEAD_LETTERED,
  /** A handler has acknowledged it. */
  ACKED,
  /** A handler holds a lease on it. */
  CLAIMED,
  /** No handler holds it, has acknowledged it or has given it up. */
  PENDING
}
