// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.internal.json.CanonicalJson;

/**
 * An entity at an end of a relation, as it was at the commit that was asked about.
 *
 * @param fields its payload
 */
public record RelationEnd(RowMetadata meta, ObjectNode fields) {

  public RelationEnd {
    fields = fields.deepCopy();
  }

  /** The entity as a record of its type. */
  public <T extends Record> T as(Class<T> type) {
    return RecordType.of(type).value(meta.identity(), CanonicalJson.write(fields));
  }
}
