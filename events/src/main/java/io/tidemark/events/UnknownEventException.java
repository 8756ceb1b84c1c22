// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import io.tidemark.objects.TidemarkException;

/** There is no such event, and no dead letter of it. */
public final class UnknownEventException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public UnknownEventException(String message) {
    super("unknown-event", message, null);
  }
}
