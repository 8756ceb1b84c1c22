// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

import io.tidemark.ledger.internal.commit.Terms;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** There is a commit only while its event is the handler's own. */
final class WhileHeld implements Terms {
  private final BooleanSupplier isHeld;
  private boolean held;

  WhileHeld(BooleanSupplier isHeld) {
    this.isHeld = isHeld;
    this.held = isHeld.getAsBoolean();
  }

  /** Whether it was when that was last asked. */
  boolean held() {
    return held;
  }

  @Override
  public void start(Base base) {}

  @Override
  public boolean admits(TypeId type, Supplier<Identity> identity, Standing standing) {
    return true;
  }

  @Override
  public boolean hold() {
    held = isHeld.getAsBoolean();
    return held;
  }

  @Override
  public void done() {}
}
