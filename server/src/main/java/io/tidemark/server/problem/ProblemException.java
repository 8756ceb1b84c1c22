// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.problem;

import io.tidemark.objects.ErrorKind;
import io.tidemark.objects.TidemarkException;
import java.util.Map;

/** Exception for a problem that only the server detects. */
public final class ProblemException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final transient Map<String, String> headers;

  public ProblemException(Problem problem) {
    this(problem, Map.of());
  }

  public ProblemException(Problem problem, Map<String, String> headers) {
    super(problem.code(), ErrorKind.ofStatus(problem.status()), problem.detail(), null);
    this.problem = problem;
    this.headers = Map.copyOf(headers);
  }

  public Problem problem() {
    return problem;
  }

  /** Returns the headers of the answer. */
  public Map<String, String> headers() {
    return headers;
  }
}
