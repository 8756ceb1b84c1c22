// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.cluster;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Signals that a private cluster can't be created, started or stopped. */
public final class ClusterException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  ClusterException(String message) {
    this(message, null);
  }

  ClusterException(String message, @Nullable Throwable cause) {
    super(ErrorCode.CLUSTER_FAILURE, message, cause);
  }
}
