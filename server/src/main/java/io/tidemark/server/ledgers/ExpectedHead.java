// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.LongNode;
import io.tidemark.api.ledger.UnexpectedHeadException;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expected head of a conditional write: a commit id, 0 for a ledger without commits, or any.
 *
 * @param head commit id; empty for any
 * @param byTag whether {@code If-Match} gave it
 */
record ExpectedHead(OptionalLong head, boolean byTag) {

  private static final Pattern TAG = Pattern.compile("\"([0-9]{1,18})\"");

  /**
   * Reads the expected head of a call.
   *
   * @param given value in the body or a parameter
   */
  static ExpectedHead of(HttpRequestContext httpRequestContext, OptionalLong given) {
    Optional<String> tag = httpRequestContext.header("If-Match");
    if (tag.isPresent() && given.isPresent()) {
      throw HttpRequestContext.invalid("\"expected\" and If-Match say the same; leave one out");
    }
    if (tag.isEmpty()) {
      return new ExpectedHead(given, false);
    }
    Matcher matcher = TAG.matcher(tag.get());
    if (!matcher.matches()) {
      throw HttpRequestContext.invalid(
          "If-Match takes the newest commit in quotes, as ETag has it, such as \"17\"; unlike "
              + tag.get());
    }
    return new ExpectedHead(OptionalLong.of(Long.parseLong(matcher.group(1))), true);
  }

  /** Returns the problem of a caller that expected another head. */
  ProblemException problem(UnexpectedHeadException e) {
    return new ProblemException(
        Problem.of(byTag ? 412 : 409, e.code(), String.valueOf(e.getMessage()))
            .with("expected", LongNode.valueOf(e.expected()))
            .with("actual", LongNode.valueOf(e.actual())),
        Map.of("ETag", LedgerRoutes.tag(e.actual())));
  }
}
