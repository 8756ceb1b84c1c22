// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.parquet.RowFile;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.SchemaVersion;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a commit is to consist of.
 *
 * @param files the rows it writes, at most one file a type
 * @param schemas schemas that become current with it
 * @param dropped types that end with it, each with the last version its schema had
 * @param applied called once it is real; mustn't fail
 */
public record Draft(
    List<Part> files,
    ObjectNode metadata,
    List<SchemaVersion> schemas,
    SortedMap<TypeId, Long> dropped,
    Runnable applied) {

  public Draft {
    files = List.copyOf(files);
    schemas = List.copyOf(schemas);
    dropped = Collections.unmodifiableSortedMap(new TreeMap<>(dropped));
  }

  /** The rows of one type. */
  public record Part(TypeId type, RowFile rows, long schemaVersionId) {}
}
