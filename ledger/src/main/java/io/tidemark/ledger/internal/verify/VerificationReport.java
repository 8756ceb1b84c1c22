// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import java.util.List;

/**
 * Result of a verification.
 *
 * @param progress what was checked
 * @param first the first damaged objects, at most {@link #MOST}; the listener was told of all
 * @param complete false when it was stopped before its end
 */
public record VerificationReport(
    VerificationProgress progress, List<ObjectDamage> first, boolean complete) {

  /** Maximum number of damaged objects in a report. */
  public static final int MOST = 1_000;

  public VerificationReport {
    first = List.copyOf(first);
  }

  /** Returns whether everything that was checked is intact. */
  public boolean ok() {
    return progress.damaged() == 0;
  }
}
