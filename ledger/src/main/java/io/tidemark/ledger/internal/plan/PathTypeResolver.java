// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType;
import io.tidemark.ledger.schema.FieldType.Foreign;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.MapOf;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Resolver of the type that a path leads to by the schema. */
final class PathTypeResolver {

  /** The type of paths that aren't declared; told by its identity. */
  static final FieldType NOWHERE = new Foreign("nowhere", Foreign.any().spec());

  private PathTypeResolver() {}

  static FieldType of(TypeSchema schema, List<String> path) {
    Field field = path.isEmpty() ? null : schema.fields().get(path.get(0));
    return field == null ? NOWHERE : inside(field.type(), path.subList(1, path.size()));
  }

  static FieldType inside(FieldType outer, List<String> path) {
    FieldType type = outer;
    for (String segment : path) {
      FieldType here = type.notNull();
      if (here instanceof RecordOf nested && nested.fields().containsKey(segment)) {
        type = nested.fields().get(segment);
      } else if (here instanceof MapOf map) {
        type = map.value();
      } else if (here instanceof Foreign && here != NOWHERE) {
        return Foreign.any();
      } else {
        return NOWHERE;
      }
    }
    return type;
  }

  /** Returns where a path goes wrong, and what could have been meant. */
  static String hint(TypeSchema schema, List<String> path) {
    Field field = path.isEmpty() ? null : schema.fields().get(path.get(0));
    return field == null
        ? known(schema.fields().keySet())
        : hint(field.type(), path.subList(1, path.size()));
  }

  static String hint(FieldType outer, List<String> path) {
    for (int end = 0; end < path.size(); end++) {
      FieldType here = inside(outer, path.subList(0, end)).notNull();
      if (inside(here, path.subList(end, end + 1)) == NOWHERE) {
        if (here instanceof ListOf) {
          return "there is a list on the way: ask for its items with any(...)";
        }
        return here instanceof RecordOf nested
            ? known(nested.fields().keySet())
            : "there is a single value on the way, with nothing inside";
      }
    }
    return "name a field of it";
  }

  private static String known(Collection<String> fields) {
    return fields.isEmpty()
        ? "there are no fields"
        : "its fields are " + String.join(", ", new TreeSet<>(fields));
  }
}
