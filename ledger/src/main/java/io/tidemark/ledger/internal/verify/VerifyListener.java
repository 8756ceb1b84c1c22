// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

/** Receives what a verification finds, in the thread that runs it. */
public interface VerifyListener {

  /** Called after every few commits. */
  void progress(VerifyProgress progress);

  /** Called once for each damaged object, as soon as it is found. */
  void found(Damage damage);

  /** Returns a listener that ignores everything. */
  static VerifyListener none() {
    return new VerifyListener() {
      @Override
      public void progress(VerifyProgress progress) {}

      @Override
      public void found(Damage damage) {}
    };
  }
}
