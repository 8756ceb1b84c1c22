// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.verify;

import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.objects.InvalidKeyException;
import java.util.Optional;

/**
 * Position that a verification has reached: branches go in the order of {@code branch list},
 * commits from the newest back, and the snapshots of a branch come after its commits.
 *
 * @param branch the branch that is being checked; those before it are done
 * @param commitId the oldest commit that is done
 * @param snapshot the path of the last snapshot that is done; empty for none
 */
public record VerificationCursor(BranchName branch, long commitId, String snapshot) {

  private static final String COMMIT = "@";
  private static final String SNAPSHOT = ",";

  /** Returns the position after a commit. */
  static VerificationCursor after(BranchName branch, long commitId) {
    return new VerificationCursor(branch, commitId, "");
  }

  /** Returns the text that {@link #parse} reads. */
  public String text() {
    return branch + COMMIT + commitId + (snapshot.isEmpty() ? "" : SNAPSHOT + snapshot);
  }

  /**
   * Reads a cursor.
   *
   * @throws InvalidCursorException when the text isn't one
   */
  public static VerificationCursor parse(String text) {
    int at = text.indexOf(COMMIT);
    int comma = text.indexOf(SNAPSHOT, Math.max(0, at));
    int end = comma < 0 ? text.length() : comma;
    Optional<Long> commit = at < 1 ? Optional.empty() : number(text.substring(at + 1, end));
    if (commit.isEmpty()) {
      throw new InvalidCursorException(text);
    }
    try {
      BranchName branch = new BranchName(text.substring(0, at));
      return new VerificationCursor(
          branch, commit.get(), comma < 0 ? "" : text.substring(comma + 1));
    } catch (InvalidAddressException | InvalidKeyException e) {
      throw new InvalidCursorException(text);
    }
  }

  private static Optional<Long> number(String text) {
    try {
      return Optional.of(Long.parseLong(text)).filter(id -> id >= 0);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
