// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.ErrorKind;
import io.tidemark.objects.TidemarkException;

/**
 * A server refused a request for a reason that has no exception of its own here; nothing was
 * changed. The code is the server's.
 */
public final class ServerProblemException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final int status;

  public ServerProblemException(int status, String code, String message) {
    super(
        code,
        ErrorCode.of(code).map(ErrorCode::kind).orElseGet(() -> ErrorKind.ofStatus(status)),
        message,
        null);
    this.status = status;
  }

  /** Returns the status of the answer. */
  public int status() {
    return status;
  }
}
