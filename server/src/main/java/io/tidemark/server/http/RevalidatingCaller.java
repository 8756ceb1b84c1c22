// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.Caller;
import io.tidemark.server.problem.ProblemException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Caller of a request, whose access may be revoked before the request is over.
 *
 * @param caller the caller at the start of the request
 * @param again authorizes the request once more
 */
public record RevalidatingCaller(Caller caller, Supplier<Caller> again) {

  /** Returns why the request must end; empty while its caller still has access. */
  public Optional<String> revocationReason() {
    try {
      return again.get().equals(caller)
          ? Optional.empty()
          : Optional.of("what " + caller.name() + " may do has changed; come back for it");
    } catch (ProblemException e) {
      return Optional.of(e.problem().detail());
    }
  }
}
