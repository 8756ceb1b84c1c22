// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Thrown when an event couldn't be sent, or the receiver rejected it; a retry may succeed. */
public final class WebhookFailedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public WebhookFailedException(String message, @Nullable Throwable cause) {
    super(ErrorCode.WEBHOOK_FAILED, message, cause);
  }
}
