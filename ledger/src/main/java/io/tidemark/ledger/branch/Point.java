// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.branch;

import io.tidemark.ledger.store.BranchName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A state that people mean: the newest, or that of a commit, on some branch. */
public sealed interface Point {

  BranchName branch();

  /** As of the newest commit. */
  record Newest(BranchName branch) implements Point {
    @Override
    public String toString() {
      return branch.text();
    }
  }

  /** As of a commit. */
  record AtCommit(BranchName branch, long commitId) implements Point {
    @Override
    public String toString() {
      return branch + "@" + commitId;
    }
  }

  /**
   * Reads {@code 7}, {@code dev}, {@code dev@7} or {@code dev@head}, the last for a branch whose
   * name is a number; nothing, or {@code head}, is the newest of the branch that is meant anyway.
   */
  static Point parse(String text, BranchName usual) {
    Matcher matcher = Syntax.POINT.matcher(text);
    if (text.isEmpty() || text.equals(Syntax.HEAD)) {
      return new Newest(usual);
    }
    if (text.matches("[0-9]{1,18}")) {
      return new AtCommit(usual, Long.parseLong(text));
    }
    if (!matcher.matches()) {
      return new Newest(new BranchName(text));
    }
    BranchName branch = matcher.group(1).isEmpty() ? usual : new BranchName(matcher.group(1));
    return matcher.group(2).equals(Syntax.HEAD)
        ? new Newest(branch)
        : new AtCommit(branch, Long.parseLong(matcher.group(2)));
  }

  /** How a point is written. */
  final class Syntax {
    private static final String HEAD = "head";
    private static final Pattern POINT = Pattern.compile("([^@]*)@(head|[0-9]{1,18})");

    private Syntax() {}
  }
}
