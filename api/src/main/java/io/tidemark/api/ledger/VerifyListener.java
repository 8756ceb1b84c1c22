// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

/**
 * Listener that receives the results of a verification as they come, in the thread that waits for
 * it.
 */
public interface VerifyListener {

  /** Called now and then. */
  void progress(VerifyProgress now);

  /** Called once for each damaged object. */
  void found(Damage damage);

  /** Returns a listener that ignores everything. */
  static VerifyListener none() {
    return new VerifyListener() {
      @Override
      public void progress(VerifyProgress now) {}

      @Override
      public void found(Damage damage) {}
    };
  }
}
