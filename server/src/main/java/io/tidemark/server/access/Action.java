// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

/** Action that a grant allows. */
public enum Action {
  READ,
  WRITE,
  /** Taking and releasing soft locks, also by callers without the right to write. */
  LOCK,
  ADMIN
}
