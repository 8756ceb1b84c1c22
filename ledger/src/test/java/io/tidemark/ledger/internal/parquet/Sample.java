// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType;
import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.Identity.EntityKey;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Types and rows that the tests of this package share, and the way to a file and back. */
final class Sample {

  /** An entity with a field of every scalar type. */
  static final TypeSchema EVERYTHING =
      entity(
          Map.of(
              "name", new Nullable(Scalar.STRING),
              "age", new Nullable(Scalar.LONG),
              "score", new Nullable(Scalar.DOUBLE),
              "active", new Nullable(Scalar.BOOLEAN),
              "price", new Nullable(Scalar.DECIMAL),
              "since", new Nullable(Scalar.INSTANT)));

  /** A relation with an instance key and one field. */
  static final TypeSchema SEATS =
      new TypeSchema(
          TypeId.relation("Subscription"),
          new TreeMap<>(Map.of("period", Field.of(Scalar.STRING), "seats", Field.of(Scalar.LONG))),
          new IdentityRule.Endpoints("Customer", "Product", Optional.of("period")));

  private Sample() {}

  /** The entity Customer with the key id and these fields. */
  static TypeSchema entity(Map<String, FieldType> fields) {
    TreeMap<String, Field> all = new TreeMap<>();
    all.put("id", Field.of(Scalar.STRING));
    fields.forEach((name, type) -> all.put(name, Field.of(type)));
    return new TypeSchema(TypeId.entity("Customer"), all, new IdentityRule.KeyField("id"));
  }

  static Row entityRow(long commit, String key, String json) {
    return new Row(commit, new EntityKey(key), 3, json);
  }

  static Row relationRow(long commit, String left, String right, String instance, String json) {
    return new Row(commit, new RelationKey(left, right, instance), 2, json);
  }

  static RowFile write(TypeSchema schema, List<Row> rows) {
    try (RowWriter writer = RowWriter.toMemory(schema)) {
      rows.forEach(writer::add);
      return writer.finish();
    }
  }

  static byte[] bytes(RowFile file) {
    try (InputStream in = file.body().open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] bytes(TypeSchema schema, List<Row> rows) {
    return bytes(write(schema, rows));
  }

  /** Writes rows to a file of that name for others to read. */
  static Path file(Path directory, String name, TypeSchema schema, List<Row> rows)
      throws IOException {
    return Files.write(directory.resolve(name), bytes(schema, rows));
  }

  static List<Row> read(TypeKind typeKind, byte[] bytes) {
    try (RowReader reader = RowReader.open(typeKind, bytes)) {
      return all(reader);
    }
  }

  static List<Row> all(RowReader reader) {
    List<Row> rows = new ArrayList<>();
    reader.forEachRemaining(rows::add);
    return rows;
  }
}
