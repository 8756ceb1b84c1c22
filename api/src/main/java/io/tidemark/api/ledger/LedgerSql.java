// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Statements in SQL on the types of a ledger. */
public interface LedgerSql {

  /** Returns the answer; each row has the values by the names of their columns. */
  ResultStream<SqlHeader, ObjectNode> query(SqlRequest request);

  /**
   * Writes the answer to a Parquet file, in place of what is there. The size of the file is
   * limited; the number of rows is limited only if the request has a maximum.
   *
   * @param notes told of rows of other versions of their schema than they are shown in
   * @return the number of rows
   */
  long write(SqlRequest request, Path file, Consumer<List<SchemaVersionMix>> notes);

  /** Describes how the statement is answered. */
  String explain(SqlRequest request);
}
