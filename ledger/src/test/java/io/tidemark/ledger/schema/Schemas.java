// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import io.tidemark.ledger.schema.FieldType.Nullable;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The types that the golden hashes of the specification are of, and makers of others. */
final class Schemas {

  static final FieldType STRING = Scalar.STRING;
  static final FieldType LONG = Scalar.LONG;
  static final FieldType BOOLEAN = Scalar.BOOLEAN;

  static final TypeSchema PERSON =
      entity("Person", "id", Map.of("id", Field.of(STRING), "name", Field.of(STRING)));

  static final TypeSchema CUSTOMER =
      entity(
          "Customer",
          "id",
          Map.of(
              "id", Field.of(STRING),
              "name", Field.of(STRING),
              "age", Field.of(LONG),
              "email", new Field(new Nullable(STRING), true),
              "tier", new Field(STRING, true),
              "active", Field.of(BOOLEAN)));

  static final TypeSchema PRODUCT =
      entity(
          "Product",
          "sku",
          Map.of(
              "sku", Field.of(STRING),
              "name", Field.of(STRING),
              "price", Field.of(Scalar.DOUBLE),
              "category", new Field(STRING, true)));

  static final TypeSchema SUBSCRIPTION =
      relation(
          "Subscription",
          new Endpoints("Customer", "Product", Optional.empty()),
          Map.of(
              "seat_count", Field.of(LONG),
              "started_at", Field.of(STRING),
              "active", Field.of(BOOLEAN)));

  static final TypeSchema EMPLOYMENT =
      relation(
          "Employment",
          new Endpoints("Person", "Company", Optional.of("stint_id")),
          Map.of(
              "stint_id", Field.of(STRING),
              "role", Field.of(STRING),
              "started_at", Field.of(STRING)));

  private Schemas() {}

  static TypeSchema entity(String name, String key, Map<String, Field> fields) {
    return new TypeSchema(TypeId.entity(name), new TreeMap<>(fields), new KeyField(key));
  }

  static TypeSchema relation(String name, Endpoints ends, Map<String, Field> fields) {
    return new TypeSchema(TypeId.relation(name), new TreeMap<>(fields), ends);
  }

  /** An entity {@code T} with the key {@code id} and one more field {@code f}. */
  static TypeSchema with(FieldType type) {
    return entity("T", "id", Map.of("id", Field.of(STRING), "f", Field.of(type)));
  }
}
