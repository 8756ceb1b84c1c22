// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import io.tidemark.ledger.internal.duckdb.RowColumns;
import io.tidemark.ledger.internal.duckdb.SqlQuoting;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Tables that a statement finds: each type by its name, its history by that with {@code _history}
 * behind it, and {@code commits}.
 *
 * <p>SQL sees no case in names, and a type may be called as another's history is. So types go
 * before histories and entities before relations, and a later one gets {@code @relation}, {@code
 * @history} or, when only the case differs, {@code @2} and so on, behind its name.
 */
final class SqlViews {

  static final String COMMITS = "commits";

  /** Source of the rows of a table. */
  sealed interface Source {

    /** The last version of each row. */
    record State(TypeId type) implements Source {}

    /** Every version. */
    record History(TypeId type) implements Source {}

    /** The commits. */
    record Commits() implements Source {}
  }

  private final Map<String, String> names = new LinkedHashMap<>();
  private final Map<String, Source> sources = new LinkedHashMap<>();

  SqlViews(Collection<TypeId> types) {
    List<TypeId> entitiesFirst = new ArrayList<>();
    types.stream().filter(type -> type.kind() == TypeKind.ENTITY).forEach(entitiesFirst::add);
    types.stream().filter(type -> type.kind() == TypeKind.RELATION).forEach(entitiesFirst::add);
    Map<TypeId, String> own = new LinkedHashMap<>();
    for (TypeId type : entitiesFirst) {
      own.put(type, add(type.name(), "@" + type.kind().singular(), new Source.State(type)));
    }
    own.forEach((type, name) -> add(name + "_history", "@history", new Source.History(type)));
    add(COMMITS, "@commits", new Source.Commits());
  }

  private String add(String name, String otherwise, Source source) {
    String free = name;
    for (int i = 1; names.containsKey(CheckedSql.folded(free)); i++) {
      free = name + otherwise + (i == 1 ? "" : Integer.toString(i));
    }
    names.put(CheckedSql.folded(free), free);
    sources.put(CheckedSql.folded(free), source);
    return free;
  }

  /** Returns the source that a name means; any case will do. */
  Source source(String name) {
    return Optional.ofNullable(sources.get(CheckedSql.folded(name)))
        .orElseThrow(
            () ->
                new InvalidSqlException(
                    "there is no table '"
                        + name
                        + "'; there are "
                        + String.join(", ", new TreeSet<>(names.values()))));
  }

  /** Returns the name as it is written. */
  String name(String folded) {
    return names.getOrDefault(folded, folded);
  }

  Set<String> all() {
    return names.keySet();
  }

  /**
   * Returns the columns of a type: its fields, and then what every row has. A field that is called
   * like one of the latter, or like another field but for the case, is in the payload only.
   */
  static String columns(TypeView type) {
    Set<String> taken =
        RowColumns.common(type.id().kind()).stream()
            .map(CheckedSql::folded)
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> columns = new ArrayList<>();
    for (String field : type.schema().payload().keySet()) {
      if (taken.add(CheckedSql.folded(field))) {
        columns.add(type.typed().containsKey(field) ? SqlQuoting.name(field) : fromPayload(field));
      }
    }
    columns.addAll(RowColumns.common(type.id().kind()));
    return String.join(", ", columns);
  }

  private static String fromPayload(String field) {
    return "nullif(json_extract(fields_json, "
        + SqlQuoting.path(List.of(field))
        + "), CAST('null' AS JSON)) AS "
        + SqlQuoting.name(field);
  }
}
