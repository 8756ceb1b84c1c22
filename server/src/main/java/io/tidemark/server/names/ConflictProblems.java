// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.LargeIntegerEncoding;
import io.tidemark.server.http.RouteResponse;
import io.tidemark.server.problem.Problem;

/** What is told to who was too late, or asks for what isn't there: answers, not failures. */
final class ConflictProblems {

  /** The expectation stood in a body. */
  static final int IN_BODY = 409;

  /** The expectation stood in {@code If-Match} or {@code If-None-Match}. */
  static final int IN_HEADER = 412;

  private ConflictProblems() {}

  static RouteResponse notFound(Address address) {
    return RouteResponse.problem(
        Problem.of(
            404, "not-found", "there is no " + address + "; check the address, or create it"));
  }

  /**
   * Something isn't as expected.
   *
   * @param actual how it is; null when there is none
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
