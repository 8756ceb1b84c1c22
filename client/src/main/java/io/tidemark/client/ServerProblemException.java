// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import io.tidemark.objects.TidemarkException;

/**
 * A server refused a request for a reason that has no exception of its own here; nothing was
 * changed. The code is the server's.
 */
public final class ServerProblemException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private final int status;

  public ServerProblemException(int status, String code, String message) {
    super(code, message, null);
    this.status = status;
  }

  /** The status of the answer. */
  public int status() {
    return status;
  }
}
