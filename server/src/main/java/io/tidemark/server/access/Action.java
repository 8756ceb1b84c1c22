// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

/** What can be allowed. */
public enum Action {
  READ,
  WRITE,
  /** To take and give back soft locks, which those do who may not write. */
  LOCK,
  ADMIN
}
