// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.InvalidRequestException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Conditions on what is in a feature, as SQL on {@code h.jsondata}. A condition that isn't true may
 * come out as false or as null; whoever takes its complement minds both.
 *
 * <p>Values are compared as {@code jsonb}, which knows the types, rounds nothing and never fails.
 * Some fields have an index on their text or number, and are compared the way it is made.
 */
final class FilterSql {

  private static final String XYZ = "h.jsondata->'properties'->'@ns:com:here:xyz'->";

  static final String ID = "(h.jsondata->>'id') COLLATE \"C\"";
  static final String TXN = "(" + XYZ + ">'txn')::bigint";
  static final String TXN_NEXT = "(" + XYZ + ">'txn_next')::bigint";

  /** Fields whose text has an index. */
  private static final Map<String, String> TEXTS =
      Map.of(
          "mrid", indexed("mrid"),
          "qrid", indexed("qrid"),
          "app_id", indexed("app_id"),
          "author", indexed("author"),
          "action", indexed("action"));

  /** An author's features are found by the index on action and author, which begins with these. */
  private static final String ANY_ACTION =
      indexed("action") + " = ANY ('{CREATE,UPDATE,DELETE}') AND ";

  private FilterSql() {}

  private static String indexed(String name) {
    return "(%s>'%s') COLLATE \"C\"".formatted(XYZ, name);
  }

  static SqlText of(Filter filter) {
    if (filter instanceof Filter.All all) {
      return joined(" AND ", all.parts(), "true");
    }
    if (filter instanceof Filter.Any any) {
      return texts(any).orElseGet(() -> joined(" OR ", any.parts(), "false"));
    }
    if (filter instanceof Filter.Not not) {
      return of(not.part()).bracketed().then(" IS NOT TRUE");
    }
    if (filter instanceof Filter.Exists exists) {
      return value(exists.field()).then(" IS NOT NULL");
    }
    if (filter instanceof Filter.IsNull isNull) {
      return value(isNull.field()).then(" = 'null'::jsonb");
    }
    if (filter instanceof Filter.Eq eq) {
      return equal(eq.field(), eq.value());
    }
    if (filter instanceof Filter.Beyond beyond) {
      return beyond(beyond.field(), beyond.comparison().sql, beyond.value());
    }
    if (filter instanceof Filter.StartsWith starts) {
      return startsWith(starts.field(), starts.prefix());
    }
    Filter.Contains contains = (Filter.Contains) filter;
    return contains(contains.field(), contains.value());
  }

  static SqlText of(Tags tags) {
    return SqlText.join(" OR ", tags.anyOf().stream().map(FilterSql::all).toList()).bracketed();
  }

  private static SqlText all(List<String> group) {
    List<String> settled = new ArrayList<>();
    List<SqlText> conditions = new ArrayList<>();
    for (String tag : group) {
      Set<String> forms = Tags.forms(tag);
      if (forms.size() == 1) {
        settled.addAll(forms);
      } else {
        List<SqlText> any = forms.stream().map(form -> tagged(List.of(form))).toList();
        conditions.add(SqlText.join(" OR ", any).bracketed());
      }
    }
    if (!settled.isEmpty()) {
      conditions.add(tagged(settled));
    }
    return SqlText.join(" AND ", conditions).bracketed();
  }

  private static SqlText tagged(List<String> all) {
    return SqlText.of(XYZ + "'tags' @> ?::jsonb", Json.array(all));
  }

  /** One of several ids is looked up as a list, which is planned once for all of them. */
  private static Optional<SqlText> texts(Filter.Any any) {
    List<String> ids = new ArrayList<>();
    for (Filter part : any.parts()) {
      if (part instanceof Filter.Eq eq && eq.field().equals(Field.ID) && eq.value().isValueNode()) {
        ids.add(eq.value().asText());
      }
    }
    return ids.isEmpty() || ids.size() < any.parts().size()
        ? Optional.empty()
        : Optional.of(SqlText.of(ID + " = ANY (?::text[])", ids));
  }

  private static SqlText joined(String between, List<Filter> parts, String none) {
    return parts.isEmpty()
        ? SqlText.of(none)
        : SqlText.join(between, parts.stream().map(FilterSql::of).toList()).bracketed();
  }

  /** The value of a field as {@code jsonb}, null when it is absent. */
  static SqlText value(Field field) {
    String noted = field.noted();
    if (field.equals(Field.ID)) {
      return SqlText.of("(h.jsondata->'id')");
    }
    return Field.NOTED.contains(noted)
        ? SqlText.of("(%s'%s')".formatted(XYZ, noted))
        : SqlText.of("(h.jsondata #> ?::text[])", field.path());
  }

  private static Optional<String> text(Field field) {
    return field.equals(Field.ID) ? Optional.of(ID) : Optional.ofNullable(TEXTS.get(field.noted()));
  }

  private static SqlText equal(Field field, JsonNode value) {
    Optional<String> text = text(field);
    if (text.isPresent()) {
      String author = field.noted().equals("author") ? ANY_ACTION : "";
      return value.isValueNode()
          ? SqlText.of(author + text.get() + " = ?::text", value.asText()).bracketed()
          : SqlText.of("false");
    }
    if (field.noted().equals("uuid")) {
      return uuid(value);
    }
    if (field.noted().equals("txn") && fitsLong(value)) {
      return SqlText.of(TXN + " = ?::bigint", value.decimalValue().longValueExact());
    }
    return value(field).then(" = ?::jsonb", value.toString());
  }

  /** A state is found by the number at the end of its GUID. */
  private static SqlText uuid(JsonNode value) {
    try {
      Guid guid = Guid.parse(value.asText());
      return SqlText.of(
          "(h.i = ?::bigint AND %s>'uuid' = ?::text)".formatted(XYZ), guid.i(), guid.toString());
    } catch (InvalidRequestException e) {
      return SqlText.of("false");
    }
  }

  private static SqlText beyond(Field field, String operator, JsonNode value) {
    Optional<String> text = text(field);
    if (text.isPresent()) {
      return value.isTextual()
          ? SqlText.of("%s %s ?::text".formatted(text.get(), operator), value.textValue())
          : SqlText.of("false");
    }
    if (field.noted().equals("txn") && fitsLong(value)) {
      return SqlText.of(
          "%s %s ?::bigint".formatted(TXN, operator), value.decimalValue().longValueExact());
    }
    SqlText typed = SqlText.of("(jsonb_typeof(").then(value(field));
    return value.isNumber()
        ? typed
            .then(") = 'number' AND ")
            .then(value(field))
            .then(" %s ?::jsonb)".formatted(operator), value.toString())
        : typed
            .then(") = 'string' AND (")
            .then(value(field))
            .then(" #>> '{}') COLLATE \"C\" %s ?::text)".formatted(operator), value.textValue());
  }

  private static SqlText startsWith(Field field, String prefix) {
    Optional<String> text = text(field);
    if (text.isEmpty()) {
      return SqlText.of("(jsonb_typeof(")
          .then(value(field))
          .then(") = 'string' AND starts_with(")
          .then(value(field))
          .then(" #>> '{}', ?::text))", prefix);
    }
    SqlText within =
        SqlText.of(
            "(starts_with(%1$s, ?::text) AND %1$s >= ?::text".formatted(text.get()),
            prefix,
            prefix);
    return Json.successor(prefix)
        .map(next -> within.then(" AND %s < ?::text)".formatted(text.get()), next))
        .orElseGet(() -> within.then(")"));
  }

  private static SqlText contains(Field field, JsonNode value) {
    SqlText holds = value(field).then(" @> ?::jsonb", value.toString());
    if (!value.isObject()) {
      // PostgreSQL finds a scalar in a list by itself.
      return holds;
    }
    return SqlText.join(
            " OR ", List.of(holds, value(field).then(" @> ?::jsonb", "[" + value + "]")))
        .bracketed();
  }

  private static boolean fitsLong(JsonNode value) {
    if (!value.isNumber()) {
      return false;
    }
    try {
      BigDecimal number = value.decimalValue();
      return number.longValueExact() == number.longValue();
    } catch (ArithmeticException e) {
      return false;
    }
  }
}
