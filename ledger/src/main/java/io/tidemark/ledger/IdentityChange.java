// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import java.util.Locale;
import java.util.Optional;

/**
 * Change of one identity by a commit.
 *
 * @param before the version it replaced; empty when there was none
 * @param after the version it wrote
 */
public record IdentityChange(TypeId type, Identity identity, Optional<Row> before, Row after) {

  /** Kind of change: an insert of a new identity, or a new version of a known one. */
  public enum Operation {
    INSERT,
    UPDATE_VERSION;

    /** Returns the name as it is written in JSON: {@code update_version}. */
    public String jsonName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Operation operation() {
    return before.isEmpty() ? Operation.INSERT : Operation.UPDATE_VERSION;
  }
}
