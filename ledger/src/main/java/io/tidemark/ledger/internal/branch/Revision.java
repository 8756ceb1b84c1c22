// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.branch;

import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.BranchRefusedException;
import java.util.Optional;
import java.util.regex.Pattern;

/** State by name: the newest, or that of a commit, on some branch. */
public sealed interface Revision {

  BranchName branch();

  /** State as of the newest commit. */
  record Newest(BranchName branch) implements Revision {
    @Override
    public String toString() {
      return branch.text();
    }
  }

  /** State as of a commit. */
  record AtCommit(BranchName branch, long commitId) implements Revision {
    @Override
    public String toString() {
      return branch + "@" + commitId;
    }
  }

  /**
   * Parses {@code 7}, {@code dev}, {@code dev@7} or {@code dev@head}; no text, or {@code head}, is
   * the newest commit of the default branch. A number is always a commit and {@code head} always a
   * head: no branch gets such a name, see {@link #requireName}. An old branch with such a name is
   * referred to as {@code NAME@head}.
   */
  static Revision parse(String text, BranchName usual) {
    if (text.isEmpty() || Syntax.isHead(text)) {
      return new Newest(usual);
    }
    if (Syntax.NUMBER.matcher(text).matches()) {
      return new AtCommit(usual, Syntax.number(text));
    }
    int at = text.lastIndexOf('@');
    String commit = text.substring(at + 1);
    boolean isNumber = Syntax.NUMBER.matcher(commit).matches();
    if (at < 0 || (!isNumber && !Syntax.isHead(commit))) {
      return new Newest(new BranchName(text)); // which has no @, and is refused if it has
    }
    BranchName branch = at == 0 ? usual : new BranchName(text.substring(0, at));
    return isNumber ? new AtCommit(branch, Syntax.number(commit)) : new Newest(branch);
  }

  /**
   * Refuses a name for a new branch that has another meaning as a revision.
   *
   * @throws BranchRefusedException if the name has another meaning
   */
  static void requireName(BranchName name) {
    String text = name.text();
    Optional<String> meaning =
        Syntax.isHead(text)
            ? Optional.of("the newest commit")
            : Syntax.NUMBER.matcher(text).matches()
                ? Optional.of("a commit")
                : text.contains("..") ? Optional.of("two states") : Optional.empty();
    if (meaning.isPresent()) {
      throw new BranchRefusedException(
          "a branch can't be called '"
              + text
              + "', which means "
              + meaning.get()
              + " where a state is named; choose a name that isn't a number or 'head' and has no"
              + " '..', such as 'b-"
              + text.replace("..", "-")
              + "'");
    }
  }

  /** Syntax of a revision. */
  final class Syntax {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    private Syntax() {}

    /** Returns a commit id; a number that is too long for one gives an id that no commit has. */
    private static long number(String digits) {
      return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
    }

    /** Returns whether the text is the word for the head, in either spelling. */
    private static boolean isHead(String text) {
      return text.equalsIgnoreCase("head");
    }
  }
}
