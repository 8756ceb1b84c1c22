// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.internal.json.CanonicalJson;

/**
 * Entity at an end of a relation, as of the commit that the query is as of.
 *
 * @param fields the payload of the entity
 */
public record RelationEnd(RowMetadata meta, ObjectNode fields) {

  public RelationEnd {
    fields = fields.deepCopy();
  }

  /** Returns the entity as a record of its type. */
  public <T extends Record> T as(Class<T> type) {
    return RecordType.of(type).value(meta.identity(), CanonicalJson.write(fields));
  }
}
