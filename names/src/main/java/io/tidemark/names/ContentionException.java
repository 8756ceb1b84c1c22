// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.Retry;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when other writers kept changing a record until the retry time was used up. This call
 * changed nothing.
 */
public final class ContentionException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public ContentionException(String message) {
    this(message, null);
  }

  public ContentionException(String message, @Nullable Throwable cause) {
    super(ErrorCode.CONTENTION, message, cause);
  }

  /** Returns the exception for a record that other writers keep changing. */
  public static ContentionException of(Object record) {
    return new ContentionException(
        record + " is being changed by others all the time; try again later");
  }

  /**
   * Pauses before another attempt to change a record.
   *
   * @throws ContentionException once the time for trying is used up
   */
  public static void pauseOrGiveUp(Retry.Backoff backoff, Address record) {
    if (!backoff.pause()) {
      throw of(record);
    }
  }
}
