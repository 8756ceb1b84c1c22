// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Problems of requests that access control refuses. */
final class AccessProblems {

  private AccessProblems() {}

  /**
   * Returns the refusal of a caller without a grant. To a caller without the right to read a name,
   * the problem says that the name doesn't exist.
   */
  static ProblemException of(Caller caller, Grant missing) {
    if (missing.action() == Action.READ && !missing.prefix().isEmpty()) {
      return new ProblemException(
          Problem.of(
              404,
              "not-found",
              "there is no " + missing.prefix() + "; check the address, or create it"));
    }
    return forbidden(caller, "the grant " + missing);
  }

  /** Returns the refusal of a caller without any of the grants on a name that would suffice. */
  static ProblemException of(Caller caller, RequiredPermission requiredPermission, String name) {
    List<Grant> grants =
        requiredPermission.actions().stream()
            .sorted()
            .map(action -> new Grant(action, requiredPermission.resourceType(), name))
            .toList();
    return grants.size() == 1
        ? of(caller, grants.get(0))
        : forbidden(caller, "the grant " + either(grants.stream().map(Grant::toString)));
  }

  /** Returns the refusal of a caller without a grant on any name, for a route about many names. */
  static ProblemException ofSome(Caller caller, RequiredPermission requiredPermission) {
    Action action = requiredPermission.action().orElseThrow();
    return forbidden(
        caller,
        "the grant "
            + either(
                requiredPermission.realms().stream()
                    .sorted()
                    .map(
                        resourceType ->
                            new Grant(action, resourceType, resourceType.hasNames() ? "NAME" : "")
                                .toString()))
            + (requiredPermission.resourceType().hasNames() ? " for the NAME that is meant" : ""));
  }

  private static String either(Stream<String> grants) {
    return grants.collect(Collectors.joining(" or "));
  }

  private static ProblemException forbidden(Caller caller, String needed) {
    return new ProblemException(
        Problem.of(
            403,
            "forbidden",
            "%s may not do this, which takes %s; ask who runs the server for it"
                .formatted(caller.name(), needed)));
  }

  /** Returns the refusal of a request that lacks a valid token. */
  static ProblemException unauthenticated(Reason reason) {
    return new ProblemException(
        Problem.of(401, "unauthenticated", reason.detail),
        Map.of("WWW-Authenticate", "Bearer realm=\"tidemark\"" + reason.challenge));
  }

  /** Returns the refusal of a client after too many invalid tokens. */
  static ProblemException tooManyAttempts(long seconds) {
    return new ProblemException(
        Problem.of(
            429,
            "too-many-attempts",
            "too many requests from here had a token that isn't valid; come back in %d s with one"
                    .formatted(seconds)
                + " that is"),
        Map.of("Retry-After", Long.toString(seconds)));
  }

  /** Returns the problem of a token that can't be verified at the moment. */
  static ProblemException keysUnavailable() {
    return new ProblemException(
        Problem.of(
            503,
            "unavailable",
            "the keys that tokens of this kind are signed with can't be had from their issuer at the"
                + " moment; try again soon"),
        Map.of("Retry-After", "30"));
  }

  /** Returns the refusal of a request from a foreign page, or under a foreign host name. */
  static ProblemException crossOrigin(String header, String value) {
    return new ProblemException(
        Problem.of(
            403,
            "forbidden-host",
            "this server asks nobody who they are and so answers its own machine alone, but %s is"
                    .formatted(header)
                + " \"%s\"; call it as localhost, or have it ask for tokens".formatted(value)));
  }

  /** Reason why a request isn't authenticated. */
  enum Reason {
    NO_TOKEN("this takes a token; send it as \"Authorization: Bearer TOKEN\"", ""),
    BAD_TOKEN("the token isn't valid, or not any more; get another", ", error=\"invalid_token\"");

    private final String detail;
    private final String challenge;

    Reason(String detail, String challenge) {
      this.detail = detail;
      this.challenge = challenge;
    }
  }
}
