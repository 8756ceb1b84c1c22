// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A migration of all types of a {@link RandomLedger}, which adds, removes, renames and converts
 * fields at random. A migrated row has the values that fit, and new ones for the others.
 */
final class RandomMigration {

  /** Any of these may have the name or the type of another. */
  private static final List<String> EXCHANGEABLE =
      List.of("s", "s2", "n", "d", "b", "x", "commit_id", "N");

  private final Ledger ledger;
  private final List<TypeSchema> before;
  private final RandomGenerator random;
  private final Map<String, FieldType> known = new HashMap<>();
  private Upgraders upgraders = Upgraders.none();

  private RandomMigration(Ledger ledger, List<TypeSchema> before, RandomGenerator random) {
    this.ledger = ledger;
    this.before = before;
    this.random = random;
    StringBuilder fields = new StringBuilder();
    RandomLedger.FIELDS.forEach(
        (name, type) -> fields.append(", \"").append(name).append("\": ").append(type));
    DeclaredSchema.parse(
            "{\"entity\": \"A\", \"key\": \"id\", \"fields\": {\"id\": \"string\"" + fields + "}}")
        .get(0)
        .fields()
        .forEach((name, field) -> known.put(name, field.type()));
  }

  static RandomMigration of(Ledger ledger, List<TypeSchema> before, RandomGenerator random) {
    return new RandomMigration(ledger, before, random);
  }

  /** Migrates, and returns the new schemas. */
  List<TypeSchema> run() {
    List<TypeSchema> after = before.stream().map(this::changed).toList();
    ledger.schemas().migrate(after, upgraders, Approval.Force.FORCE, Map.of());
    return after;
  }

  private TypeSchema changed(TypeSchema schema) {
    SortedMap<String, Field> fields = new TreeMap<>();
    Map<String, String> renamed = new TreeMap<>();
    schema
        .fields()
        .forEach(
            (name, field) -> {
              int chance = isIdentity(schema, name) ? 9 : random.nextInt(10);
              boolean exchangeable = EXCHANGEABLE.contains(name);
              if (chance == 0 && exchangeable) {
                String other = EXCHANGEABLE.get(random.nextInt(EXCHANGEABLE.size()));
                boolean free = !schema.fields().containsKey(other) && !fields.containsKey(other);
                fields.put(free ? other : name, field);
                if (free) {
                  renamed.put(other, name);
                }
              } else if (chance == 1 && exchangeable) {
                String other = EXCHANGEABLE.get(random.nextInt(EXCHANGEABLE.size()));
                fields.put(name, Field.of(Optional.ofNullable(known.get(other)).orElseThrow()));
              } else if (chance > 2) {
                fields.put(name, field);
              }
            });
    known.forEach(
        (name, type) -> {
          boolean isNew = !schema.fields().containsKey(name) && !fields.containsKey(name);
          if (isNew && !name.equals("id") && random.nextInt(4) == 0) {
            fields.put(name, Field.of(type));
          }
        });
    TypeSchema after = new TypeSchema(schema.id(), fields, schema.identity());
    upgrade(schema, after, renamed);
    return after;
  }

  private static boolean isIdentity(TypeSchema schema, String name) {
    return schema.instanceKeyField().filter(name::equals).isPresent()
        || (schema.identity() instanceof KeyField key && key.name().equals(name));
  }

  private void upgrade(TypeSchema from, TypeSchema to, Map<String, String> renamed) {
    TypeId type = from.id();
    RandomValues values = new RandomValues(random);
    long current = Optional.ofNullable(ledger.schemas().current().get(type)).orElseThrow().id();
    for (long version = 1; version <= current; version++) {
      upgraders =
          upgraders.with(type, version, fields -> upgraded(fields, from, to, renamed, values));
    }
    for (Map.Entry<String, String> each : new ArrayList<>(renamed.entrySet())) {
      upgraders = upgraders.renaming(type, current, each.getValue(), each.getKey());
    }
  }

  private static ObjectNode upgraded(
      ObjectNode fields,
      TypeSchema from,
      TypeSchema to,
      Map<String, String> renamed,
      RandomValues values) {
    ObjectNode next = CanonicalJson.object();
    to.payload()
        .forEach(
            (name, field) -> {
              String source = renamed.getOrDefault(name, name);
              Field before = renamed.containsValue(name) ? null : from.payload().get(source);
              boolean keeps = before != null && before.type().equals(field.type());
              next.set(name, keeps ? fields.get(source) : values.of(field.type()));
            });
    return next;
  }
}
