// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Fields;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.FilterTrees;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType;
import io.tidemark.ledger.schema.FieldType.ListOf;
import io.tidemark.ledger.schema.FieldType.RecordOf;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Resolver of the names in a condition for a type. */
record FilterPathResolver(TypeSchema schema) {

  /** Returns the operand of names; in a relation the first name may say which end is meant. */
  Operand operand(List<String> names) {
    String first = names.get(0);
    if (first.startsWith("@")) {
      return MetaField.of(String.join(".", names))
          .orElseThrow(
              () ->
                  new InvalidQueryException(
                      "there is no "
                          + String.join(".", names)
                          + "; take @key, @left, @right, @instance or @commit"));
    }
    boolean end = schema.id().kind() == TypeKind.RELATION && names.size() > 1;
    if (end && first.equals("left")) {
      return new FieldPath(Side.LEFT, names.subList(1, names.size()));
    }
    return end && first.equals("right")
        ? new FieldPath(Side.RIGHT, names.subList(1, names.size()))
        : new FieldPath(Side.SELF, names);
  }

  /** Returns a condition on some item of a list, written with paths that begin at the row. */
  Filter any(Filter inner) {
    Set<FieldPath> lists = new HashSet<>();
    FilterTrees.leaves(inner, leaf -> lists.add(list(leaf)));
    if (lists.size() != 1) {
      throw new InvalidQueryException(
          "any(..) is about one list, and this one names " + lists + "; write an any() for each");
    }
    FieldPath list = lists.iterator().next();
    int length = list.segments().size();
    return Fields.any(
        list, FilterTrees.mapOperands(inner, path -> ((FieldPath) path).from(length)));
  }

  private FieldPath list(Filter leaf) {
    if (leaf instanceof Filter.Any || !(FilterTrees.operand(leaf) instanceof FieldPath path)) {
      throw new InvalidQueryException(
          "inside of any() conditions are on fields of items, unlike " + leaf);
    }
    return path.upTo(listLength(path));
  }

  /** Returns how many names lead to the list: by the schema, or else all but the last. */
  private int listLength(FieldPath path) {
    List<String> names = path.segments();
    Field field = path.side() == Side.SELF ? schema.fields().get(names.get(0)) : null;
    FieldType type = field == null ? null : field.type().notNull();
    for (int length = 1; type != null && length <= names.size(); length++) {
      if (type instanceof ListOf) {
        return length;
      }
      boolean goesOn = type instanceof RecordOf && length < names.size();
      FieldType inner = goesOn ? ((RecordOf) type).fields().get(names.get(length)) : null;
      type = inner == null ? null : inner.notNull();
    }
    return Math.max(1, names.size() - 1);
  }
}
