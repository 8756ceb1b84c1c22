// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;

/**
 * Entry point of queries. A type that the ledger doesn't have, because it was never written or was
 * dropped, has no rows: a query of it is empty, whether it names a record class or a text.
 */
public final class Queries {

  private final QueryEngine engine;

  public Queries(QueryEngine engine) {
    this.engine = engine;
  }

  /** Queries entities as records. */
  public <T extends Record> QueryBuilder<T> entities(Class<T> type) {
    return records(type, TypeKind.ENTITY);
  }

  /** Queries relations as records. */
  public <T extends Record> QueryBuilder<T> relations(Class<T> type) {
    return records(type, TypeKind.RELATION);
  }

  private <T extends Record> QueryBuilder<T> records(Class<T> type, TypeKind typeKind) {
    RecordType<T> declared = RecordType.of(type);
    if (declared.schema().id().kind() != typeKind) {
      throw new InvalidQueryException(
          type.getSimpleName()
              + " is "
              + declared.schema().id()
              + "; ask for "
              + declared.schema().id().kind().plural()
              + "()");
    }
    return QueryBuilder.of(engine, declared);
  }

  /** Queries entities of a type that is known at run time, their payloads as JSON. */
  public QueryBuilder<ObjectNode> entities(String type) {
    return rows(TypeId.entity(type));
  }

  /** Queries relations of a type that is known at run time, their payloads as JSON. */
  public QueryBuilder<ObjectNode> relations(String type) {
    return rows(TypeId.relation(type));
  }

  /** Queries rows of a type that is known at run time, their payloads as JSON. */
  public QueryBuilder<ObjectNode> rows(TypeId type) {
    return QueryBuilder.of(engine, type);
  }

  /** Queries tables that are named after the types by SQL. A statement can read the ledger only. */
  public SqlQuery sql(String text) {
    return SqlQuery.of(engine, text);
  }
}
