// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.objects.TidemarkException;

/** An input that has the same id twice. The message says which and where. */
public final class DuplicateIdException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public DuplicateIdException(String message) {
    super("duplicate-id", message, null);
  }
}
