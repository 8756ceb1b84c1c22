// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import java.util.Optional;

/** Precondition on the ledger right before the rows are committed. */
public sealed interface Precondition {

  /** Precondition on every row: that it is there or isn't. */
  enum Presence implements Precondition {
    /** Nothing is asked. */
    ANY,
    /** Every row is there already, with whatever fields. */
    MUST_EXIST,
    /** No row is there yet. */
    MUST_NOT_EXIST
  }

  /** Precondition on the ledger: that this is its newest commit; 0 when it has none. */
  record IfCommitId(long commitId) implements Precondition {}

  /** Reads {@code must_exist}, {@code must_not_exist} or {@code if_commit_id:N}. */
  static Optional<Precondition> parse(String text) {
    String head = "if_commit_id:";
    if (text.equals("must_exist")) {
      return Optional.of(Presence.MUST_EXIST);
    }
    if (text.equals("must_not_exist")) {
      return Optional.of(Presence.MUST_NOT_EXIST);
    }
    if (text.startsWith(head) && text.substring(head.length()).matches("[0-9]{1,18}")) {
      return Optional.of(new IfCommitId(Long.parseLong(text.substring(head.length()))));
    }
    return Optional.empty();
  }
}
