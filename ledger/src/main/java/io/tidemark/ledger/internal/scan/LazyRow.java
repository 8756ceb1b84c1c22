// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.scan;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Row whose payload is read once it is looked at. */
public final class LazyRow {

  private final Row row;
  private @Nullable JsonNode payload;

  public LazyRow(Row row) {
    this.row = row;
  }

  public Row row() {
    return row;
  }

  JsonNode payload() {
    JsonNode known = payload;
    if (known == null) {
      known = parsed();
      payload = known;
    }
    return known;
  }

  private JsonNode parsed() {
    try {
      return CanonicalJson.parse(row.fieldsJson());
    } catch (IOException e) {
      throw new CorruptLedgerException(
          "the row "
              + row.identity()
              + " of commit "
              + row.commitId()
              + " has a fields_json that is no JSON: "
              + e.getMessage()
              + "; restore its file from a copy");
    }
  }
}
