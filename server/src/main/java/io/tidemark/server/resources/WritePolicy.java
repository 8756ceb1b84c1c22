// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.resources;

/** Handling of requests that change something. */
public enum WritePolicy {
  /** Such requests are carried out, so the store must accept writes. */
  TAKEN,

  /** Such requests are refused, so that a read-only store can be served. */
  REFUSED
}
