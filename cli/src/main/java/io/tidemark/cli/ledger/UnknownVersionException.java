// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.ledger;

import io.tidemark.ledger.store.SchemaVersion;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.util.List;

/** A type has no version of that number. */
final class UnknownVersionException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  UnknownVersionException(long version, List<SchemaVersion> history) {
    super(
        ErrorCode.NOT_FOUND,
        "there is no version "
            + version
            + "; there are "
            + history.stream().map(SchemaVersion::id).toList(),
        null);
  }
}
