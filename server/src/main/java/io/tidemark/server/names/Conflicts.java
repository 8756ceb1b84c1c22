// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.WideNumbers;
import io.tidemark.server.problem.Problem;

/** What is told to who was too late, or asks for what isn't there: answers, not failures. */
final class Conflicts {

  /** The expectation stood in a body. */
  static final int IN_BODY = 409;

  /** The expectation stood in {@code If-Match} or {@code If-None-Match}. */
  static final int IN_HEADER = 412;

  private Conflicts() {}

  static Reply notFound(Address address) {
    return Reply.problem(
        Problem.of(
            404, "not-found", "there is no " + address + "; check the address, or create it"));
  }

  /**
   * Something isn't as expected.
   *
   * @param actual how it is; null when there is none
   */
  static Reply of(Call call, int status, String what, JsonNode actual) {
    JsonNode shown = WideNumbers.asText(call) ? WideNumbers.asText(actual) : actual;
    return Reply.problem(
        Problem.of(
                status,
                "conflict",
                "the " + what + " isn't as expected; look at the actual one, and decide anew")
            .with("actual", shown));
  }
}
