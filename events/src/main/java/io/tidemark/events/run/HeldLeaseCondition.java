// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** There is a commit only while its event is the handler's own. */
final class HeldLeaseCondition implements CommitCondition {
  private final BooleanSupplier isHeld;
  private boolean held;

  HeldLeaseCondition(BooleanSupplier isHeld) {
    this.isHeld = isHeld;
    this.held = isHeld.getAsBoolean();
  }

  /** Whether it was when that was last asked. */
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
