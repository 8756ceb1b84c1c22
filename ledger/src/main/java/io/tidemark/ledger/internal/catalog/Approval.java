// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

/** Approval to carry out a plan. */
public sealed interface Approval {

  /** Approval by a caller that has seen the plan and gives its token. */
  record ByToken(String token) implements Approval {}

  /** Approval of any plan. */
  enum Force implements Approval {
    FORCE
  }
}
