// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when a ledger already exists where one was to be initialised. The ledger is unchanged. */
public final class AlreadyInitializedException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  AlreadyInitializedException(String location) {
    super(
        ErrorCode.ALREADY_INITIALIZED,
        "there is a ledger in "
            + location
            + " already; give it a name with 'ledger open', choose another place, or initialise it"
            + " by force",
        null);
  }
}
