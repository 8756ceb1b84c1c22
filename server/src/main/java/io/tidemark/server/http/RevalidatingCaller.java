// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.Caller;
import io.tidemark.server.problem.ProblemException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who makes a request, and may have to go before it is over.
 *
 * @param caller who it was when the request came
 * @param again asks the gate once more
 */
public record RevalidatingCaller(Caller caller, Supplier<Caller> again) {

  /** Why the request has to end; empty while its caller may do what they could at first. */
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
