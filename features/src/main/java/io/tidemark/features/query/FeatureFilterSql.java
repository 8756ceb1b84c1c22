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
 * Translates conditions on features into SQL on {@code h.jsondata}. A condition that isn't true may
 * evaluate to false or to null; callers that negate it must handle both.
 *
 * <p>Values are compared as {@code jsonb}, which knows the types, rounds nothing and never fails.
 * Some fields have an index on their text or number, and are compared by the expression of the
 * index.
 */
final class FeatureFilterSql {

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

  private FeatureFilterSql() {}

  private static String indexed(String name) {
    return "(%s>'%s') COLLATE \"C\"".formatted(XYZ, name);
  }

  static SqlFragment of(FeatureFilter featureFilter) {
    if (featureFilter instanceof FeatureFilter.All all) {
      return joined(" AND ", all.parts(), "true");
    }
    if (featureFilter instanceof FeatureFilter.Any any) {
      return texts(any).orElseGet(() -> joined(" OR ", any.parts(), "false"));
    }
    if (featureFilter instanceof FeatureFilter.Not not) {
      return of(not.part()).bracketed().then(" IS NOT TRUE");
    }
    if (featureFilter instanceof FeatureFilter.Exists exists) {
      return value(exists.field()).then(" IS NOT NULL");
    }
    if (featureFilter instanceof FeatureFilter.IsNull isNull) {
      return value(isNull.field()).then(" = 'null'::jsonb");
    }
    if (featureFilter instanceof FeatureFilter.Eq eq) {
      return equal(eq.field(), eq.value());
    }
    if (featureFilter instanceof FeatureFilter.Compares compares) {
      return beyond(compares.field(), compares.comparison().sql, compares.value());
    }
    if (featureFilter instanceof FeatureFilter.StartsWith starts) {
      return startsWith(starts.field(), starts.prefix());
    }
    FeatureFilter.Contains contains = (FeatureFilter.Contains) featureFilter;
    return contains(contains.field(), contains.value());
  }

  static SqlFragment of(TagFilter tagFilter) {
    return SqlFragment.join(" OR ", tagFilter.anyOf().stream().map(FeatureFilterSql::all).toList())
        .bracketed();
  }

  private static SqlFragment all(List<String> group) {
    List<String> settled = new ArrayList<>();
    List<SqlFragment> conditions = new ArrayList<>();
    for (String tag : group) {
      Set<String> forms = TagFilter.forms(tag);
      if (forms.size() == 1) {
        settled.addAll(forms);
      } else {
        List<SqlFragment> any = forms.stream().map(form -> tagged(List.of(form))).toList();
        conditions.add(SqlFragment.join(" OR ", any).bracketed());
      }
    }
    if (!settled.isEmpty()) {
      conditions.add(tagged(settled));
    }
    return SqlFragment.join(" AND ", conditions).bracketed();
  }

  private static SqlFragment tagged(List<String> all) {
    return SqlFragment.of(XYZ + "'tags' @> ?::jsonb", TextParameters.array(all));
  }

  /** One of several ids is looked up as a list, which is planned once for all of them. */
  private static Optional<SqlFragment> texts(FeatureFilter.Any any) {
    List<String> ids = new ArrayList<>();
    for (FeatureFilter part : any.parts()) {
      if (part instanceof FeatureFilter.Eq eq
          && eq.field().equals(FeatureField.ID)
          && eq.value().isValueNode()) {
        ids.add(eq.value().asText());
      }
    }
    return ids.isEmpty() || ids.size() < any.parts().size()
        ? Optional.empty()
        : Optional.of(SqlFragment.of(ID + " = ANY (?::text[])", ids));
  }

  private static SqlFragment joined(String between, List<FeatureFilter> parts, String none) {
    return parts.isEmpty()
        ? SqlFragment.of(none)
        : SqlFragment.join(between, parts.stream().map(FeatureFilterSql::of).toList()).bracketed();
  }

  /** Returns the value of a field as {@code jsonb}, null when it is absent. */
  static SqlFragment value(FeatureField featureField) {
    String noted = featureField.metadata();
    if (featureField.equals(FeatureField.ID)) {
      return SqlFragment.of("(h.jsondata->'id')");
    }
    return FeatureField.NOTED.contains(noted)
        ? SqlFragment.of("(%s'%s')".formatted(XYZ, noted))
        : SqlFragment.of("(h.jsondata #> ?::text[])", featureField.path());
  }

  private static Optional<String> text(FeatureField featureField) {
    return featureField.equals(FeatureField.ID)
        ? Optional.of(ID)
        : Optional.ofNullable(TEXTS.get(featureField.metadata()));
  }

  private static SqlFragment equal(FeatureField featureField, JsonNode value) {
    Optional<String> text = text(featureField);
    if (text.isPresent()) {
      String author = featureField.metadata().equals("author") ? ANY_ACTION : "";
      return value.isValueNode()
          ? SqlFragment.of(author + text.get() + " = ?::text", value.asText()).bracketed()
          : SqlFragment.of("false");
    }
    if (featureField.metadata().equals("uuid")) {
      return uuid(value);
    }
    if (featureField.metadata().equals("txn") && fitsLong(value)) {
      return SqlFragment.of(TXN + " = ?::bigint", value.decimalValue().longValueExact());
    }
    return value(featureField).then(" = ?::jsonb", value.toString());
  }

  /** A state is found by the number at the end of its GUID. */
  private static SqlFragment uuid(JsonNode value) {
    try {
      Guid guid = Guid.parse(value.asText());
      return SqlFragment.of(
          "(h.i = ?::bigint AND %s>'uuid' = ?::text)".formatted(XYZ), guid.i(), guid.toString());
    } catch (InvalidRequestException e) {
      return SqlFragment.of("false");
    }
  }

  private static SqlFragment beyond(FeatureField featureField, String operator, JsonNode value) {
    Optional<String> text = text(featureField);
    if (text.isPresent()) {
      return value.isTextual()
          ? SqlFragment.of("%s %s ?::text".formatted(text.get(), operator), value.textValue())
          : SqlFragment.of("false");
    }
    if (featureField.metadata().equals("txn") && fitsLong(value)) {
      return SqlFragment.of(
          "%s %s ?::bigint".formatted(TXN, operator), value.decimalValue().longValueExact());
    }
    SqlFragment typed = SqlFragment.of("(jsonb_typeof(").then(value(featureField));
    return value.isNumber()
        ? typed
            .then(") = 'number' AND ")
            .then(value(featureField))
            .then(" %s ?::jsonb)".formatted(operator), value.toString())
        : typed
            .then(") = 'string' AND (")
            .then(value(featureField))
            .then(" #>> '{}') COLLATE \"C\" %s ?::text)".formatted(operator), value.textValue());
  }

  private static SqlFragment startsWith(FeatureField featureField, String prefix) {
    Optional<String> text = text(featureField);
    if (text.isEmpty()) {
      return SqlFragment.of("(jsonb_typeof(")
          .then(value(featureField))
          .then(") = 'string' AND starts_with(")
          .then(value(featureField))
          .then(" #>> '{}', ?::text))", prefix);
    }
    SqlFragment within =
        SqlFragment.of(
            "(starts_with(%1$s, ?::text) AND %1$s >= ?::text".formatted(text.get()),
            prefix,
            prefix);
    return TextParameters.successor(prefix)
        .map(next -> within.then(" AND %s < ?::text)".formatted(text.get()), next))
        .orElseGet(() -> within.then(")"));
  }

  private static SqlFragment contains(FeatureField featureField, JsonNode value) {
    SqlFragment holds = value(featureField).then(" @> ?::jsonb", value.toString());
    if (!value.isObject()) {
      // PostgreSQL finds a scalar in a list by itself.
      return holds;
    }
    return SqlFragment.join(
            " OR ", List.of(holds, value(featureField).then(" @> ?::jsonb", "[" + value + "]")))
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
