// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

/** Listener for the findings of a verification, called in the thread that runs it. */
public interface VerificationListener {

  /** Called after every few commits. */
  void progress(VerificationProgress progress);

  /** Called once for each damaged object, as soon as it is found. */
  void found(ObjectDamage objectDamage);

  /** Returns a listener that ignores everything. */
  static VerificationListener none() {
    return new VerificationListener() {
      @Override
      public void progress(VerificationProgress progress) {}

      @Override
      public void found(ObjectDamage objectDamage) {}
    };
  }
}
