// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import io.tidemark.objects.TidemarkException;

/** A reader wants numbers whose days were dropped from the log. */
public final class LogGoneException extends TidemarkException {

  private static final long serialVersionUID = 1L;

  LogGoneException(long wanted, long first) {
    super(
        "log-gone",
        ("the log has no number %d any more, its next is %d; read what there is now, and begin after"
                + " %d")
            .formatted(wanted, first, first - 1),
        null);
  }
}
