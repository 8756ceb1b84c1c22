// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.resources;

/** Handling of requests that change something. */
public enum WritePolicy {
  /** They are done, so the store has to take writes. */
  TAKEN,

  /** They are refused, so that a store can be served that may only be read. */
  REFUSED
}
