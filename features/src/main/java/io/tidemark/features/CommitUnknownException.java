// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** The connection broke during a commit, and what became of it can't be found out. */
public final class CommitUnknownException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public CommitUnknownException(String message) {
    this(message, null);
  }

  public CommitUnknownException(String message, @Nullable Throwable cause) {
    super("outcome-unknown", message, cause);
  }
}
