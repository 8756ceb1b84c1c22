// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.LongNode;
import io.tidemark.ledger.commit.Terms;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.state.Base;
import io.tidemark.server.http.Call;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** That the newest commit is the one that a caller knows, 0 for none; or that it may be any. */
final class ExpectedHead implements Terms {

  private static final Pattern TAG = Pattern.compile("\"([0-9]{1,18})\"");

  private final OptionalLong expected;
  private final boolean byTag;
  private long found;

  private ExpectedHead(OptionalLong expected, boolean byTag) {
    this.expected = expected;
    this.byTag = byTag;
  }

  /**
   * As a call says: by {@code If-Match}, or in its body.
   *
   * @param given what the body says
   */
  static ExpectedHead of(Call call, Optional<Long> given) {
    Optional<String> tag = call.header("If-Match");
    if (tag.isPresent() && given.isPresent()) {
      throw Call.invalid("\"expected\" and If-Match say the same; leave one out");
    }
    if (tag.isEmpty()) {
      return new ExpectedHead(given.map(OptionalLong::of).orElseGet(OptionalLong::empty), false);
    }
    Matcher matcher = TAG.matcher(tag.get());
    if (!matcher.matches()) {
      throw Call.invalid(
          "If-Match takes the newest commit in quotes, as ETag has it, such as \"17\"; unlike "
              + tag.get());
    }
    return new ExpectedHead(OptionalLong.of(Long.parseLong(matcher.group(1))), true);
  }

  @Override
  public void start(Base base) {
    look(base.head().commitId());
  }

  /** The newest commit is this. */
  void look(long head) {
    found = head;
  }

  @Override
  public boolean admits(TypeId type, Supplier<Identity> identity, Standing standing) {
    return true;
  }

  @Override
  public boolean hold() {
    return expected.isEmpty() || expected.getAsLong() == found;
  }

  @Override
  public void done() {}

  /** Ends a request whose caller knows another commit. */
  void require() {
    if (!hold()) {
      throw new ProblemException(
          Problem.of(
                  byTag ? 412 : 409,
                  "head-mismatch",
                  "the newest commit is %d, not %d; look at what has changed, and try again"
                      .formatted(found, expected.orElse(0)))
              .with("expected", LongNode.valueOf(expected.orElse(0)))
              .with("actual", LongNode.valueOf(found)),
          java.util.Map.of("ETag", LedgerRoutes.tag(found)));
    }
  }
}
