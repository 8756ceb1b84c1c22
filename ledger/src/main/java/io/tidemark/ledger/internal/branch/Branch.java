// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.store.BranchName;
import java.util.Optional;

/**
 * Branch of a ledger.
 *
 * @param head its newest commit; 0 when there is none, which only main can have
 * @param forked the point where it began; empty for main
 * @param epoch tells it from other branches of its name, earlier or later; empty for main if
 *     another program has left it out
 */
public record Branch(
    BranchName name, long head, Optional<Head.ForkPoint> forked, Optional<String> epoch) {

  static Branch of(BranchName name, Head head) {
    return new Branch(name, head.commitId(), head.forked(), head.epoch());
  }
}
