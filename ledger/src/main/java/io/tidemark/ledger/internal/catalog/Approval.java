// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.catalog;

/** That a plan is meant to be carried out. */
public sealed interface Approval {

  /** By somebody who has seen the plan and gives its token. */
  record ByToken(String token) implements Approval {}

  /** Whatever the plan turns out to be. */
  enum Force implements Approval {
    FORCE
  }
}
