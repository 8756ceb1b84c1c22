// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.geojson;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import org.jspecify.annotations.Nullable;

/** Signals a text that isn't a GeoJSON feature, or one that can't be stored. */
public final class InvalidFeatureException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public InvalidFeatureException(String message) {
    this(message, null);
  }

  public InvalidFeatureException(String message, @Nullable Throwable cause) {
    super(ErrorCode.INVALID_FEATURE, message, cause);
  }
}
