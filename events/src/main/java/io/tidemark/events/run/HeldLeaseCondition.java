// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Commit condition that holds only while the handler holds the event. */
final class HeldLeaseCondition implements CommitCondition {
  private final BooleanSupplier isHeld;
  private boolean held;

  HeldLeaseCondition(BooleanSupplier isHeld) {
    this.isHeld = isHeld;
    this.held = isHeld.getAsBoolean();
  }

  /** Returns whether the handler held the event at the last check. */
  boolean wasHeld() {
    return held;
  }

  @Override
  public void start(PinnedHead pinnedHead) {}

  @Override
  public boolean admits(TypeId type, Supplier<Identity> identity, RowMatch rowMatch) {
    return true;
  }

  @Override
  public boolean isMet() {
    held = isHeld.getAsBoolean();
    return held;
  }

  @Override
  public void finish() {}
}
