// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/** Mapper of stored rows to the rows that callers receive. */
final class ResultMapper {

  private ResultMapper() {}

  static <T> ResultRow<T> row(QueryPlan queryPlan, MatchedRow matchedRow, Function<Row, T> value) {
    Row row = matchedRow.row();
    return new ResultRow<>(
        value.apply(row),
        meta(queryPlan.query().type(), row),
        matchedRow.left().map(end -> end(ends(queryPlan.binding()).leftType(), end)),
        matchedRow.right().map(end -> end(ends(queryPlan.binding()).rightType(), end)));
  }

  private static Endpoints ends(Binding binding) {
    return (Endpoints) binding.self().schema().identity();
  }

  private static RelationEnd end(String type, Row row) {
    return new RelationEnd(meta(TypeId.entity(type), row), fields(row));
  }

  private static RowMetadata meta(TypeId type, Row row) {
    return new RowMetadata(row.commitId(), type, row.identity());
  }

  /** Returns the payload as JSON. */
  static ObjectNode fields(Row row) {
    String problem = "isn't an object";
    try {
      if (CanonicalJson.parse(row.fieldsJson()) instanceof ObjectNode fields) {
        return fields;
      }
    } catch (IOException e) {
      problem = Optional.ofNullable(e.getMessage()).orElse("is no JSON");
    }
    throw new CorruptLedgerException(
        "the row "
            + row.identity()
            + " of commit "
            + row.commitId()
            + " has a fields_json that can't be read: "
            + problem
            + "; restore its file from a copy");
  }
}
