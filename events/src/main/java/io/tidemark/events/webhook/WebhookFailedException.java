// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** An event couldn't be sent, or wasn't taken; it is worth trying again. */
public final class WebhookFailedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public WebhookFailedException(String message, @Nullable Throwable cause) {
    super(ErrorCode.WEBHOOK_FAILED, message, cause);
  }
}
