// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a commit of features was lost, and the database couldn't tell in time whether it
 * took place. {@link FeatureLog#outcome} asks once more; before that nothing should be done again.
 */
public final class CommitOutcomeUnknownException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final String transaction;
  private final String began;

  public CommitOutcomeUnknownException(
      String message, String transaction, String began, @Nullable Throwable cause) {
    super(ErrorCode.OUTCOME_UNKNOWN, message, cause);
    this.transaction = transaction;
    this.began = began;
  }

  /** Returns the id of the transaction in PostgreSQL, the {@code psql_id} of the log. */
  public String transaction() {
    return transaction;
  }

  /** Returns the time at which it began by the clock of PostgreSQL, the {@code ts} of the log. */
  public String began() {
    return began;
  }
}
