// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.LargeIntegerEncoding;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;

/** Answers about conflicts and missing records. These are regular outcomes, not failures. */
final class ConflictProblems {

  /** Status of a conflict if the body gave the expected state. */
  static final int IN_BODY = 409;

  /** Status of a conflict if {@code If-Match} or {@code If-None-Match} gave the expected state. */
  static final int IN_HEADER = 412;

  private ConflictProblems() {}

  static RouteResponse notFound(Address address) {
    return RouteResponse.problem(
        Problem.of(
            404, "not-found", "there is no " + address + "; check the address, or create it"));
  }

  /**
   * Returns the answer to a request whose expected state isn't the actual one.
   *
   * @param actual the actual state; null if there is none
   */
  static RouteResponse of(
      HttpRequestContext httpRequestContext, int status, String what, JsonNode actual) {
    JsonNode shown =
        LargeIntegerEncoding.asText(httpRequestContext)
            ? LargeIntegerEncoding.asText(actual)
            : actual;
    return RouteResponse.problem(
        Problem.of(
                status,
                "conflict",
                "the " + what + " isn't as expected; look at the actual one, and decide anew")
            .with("actual", shown));
  }
}
