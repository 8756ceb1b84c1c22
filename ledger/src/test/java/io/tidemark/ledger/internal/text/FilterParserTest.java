// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

import static io.tidemark.ledger.query.model.Fields.any;
import static io.tidemark.ledger.query.model.Fields.field;
import static io.tidemark.ledger.query.model.Fields.item;
import static io.tidemark.ledger.query.model.Fields.left;
import static io.tidemark.ledger.query.model.Fields.meta;
import static io.tidemark.ledger.query.model.Fields.right;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeSchema;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people write means what they would have built. */
class FilterParserTest {

  private static final List<TypeSchema> TYPES =
      DeclaredSchema.parse(
          """
          [{"entity": "Cust", "key": "id", "fields": {
             "id": "string", "age": "long", "tier": "string", "active": "boolean",
             "left": {"x": "long"}, "in": "string", "tags": ["string"], "more": "any",
             "profile": {"events": [{"kind": "string", "at": {"ts": "long"}}]},
             "events": [{"kind": "string", "at": {"ts": "long"}}]}},
           {"relation": "Sub", "left": "Cust", "right": "Cust", "fields": {"seats": "long"}}]
          """);

  private static Filter entity(String text) {
    return FilterParser.parse(text, TYPES.get(0));
  }

  private static Filter relation(String text) {
    return FilterParser.parse(text, TYPES.get(1));
  }

  @Test
  void comparisons() {
    assertThat(entity("tier = \"Gold\"")).isEqualTo(field("tier").eq("Gold"));
    assertThat(entity("tier == 'Gold'")).isEqualTo(field("tier").eq("Gold"));
    assertThat(entity("age != 30")).isEqualTo(field("age").ne(30));
    assertThat(entity("age<>30")).isEqualTo(field("age").ne(30));
    assertThat(entity("age<-1.5e2")).isEqualTo(field("age").lt(new BigDecimal("-1.5e2")));
    assertThat(entity("age <= 1")).isEqualTo(field("age").le(1));
    assertThat(entity("age >= 1")).isEqualTo(field("age").ge(1));
    assertThat(entity("active is TRUE")).isEqualTo(field("active").isTrue());
    assertThat(entity("active is false")).isEqualTo(field("active").isFalse());
    assertThat(entity("tier is null")).isEqualTo(field("tier").isNull());
    assertThat(entity("tier IS NOT NULL")).isEqualTo(field("tier").isNotNull());
    assertThat(entity("tier in (\"a\", null, 5)")).isEqualTo(field("tier").in("a", null, 5));
    assertThat(entity("tier not in ()")).isEqualTo(field("tier").in().not());
    assertThat(entity("tier startswith 'G'")).isEqualTo(field("tier").startsWith("G"));
    assertThat(entity("tier endswith 'd'")).isEqualTo(field("tier").endsWith("d"));
    assertThat(entity("tier contains 'ol'")).isEqualTo(field("tier").contains("ol"));
    assertThat(entity("tier = \"a\\\"b\\u00e9\\n\"")).isEqualTo(field("tier").eq("a\"b\u00e9\n"));
  }

  @Test
  void orIsWeakerThanAndIsWeakerThanNot() {
    assertThat(entity("tier = \"Gold\" and age > 30 or not age < 5"))
        .isEqualTo(
            new Filter.Or(
                List.of(
                    field("tier").eq("Gold").and(field("age").gt(30)), field("age").lt(5).not())));
    assertThat(entity("tier = \"Gold\" and (age > 30 or age < 5)"))
        .isEqualTo(field("tier").eq("Gold").and(field("age").gt(30).or(field("age").lt(5))));
    assertThat(entity("not not (age = 1)")).isEqualTo(field("age").eq(1).not().not());
  }

  @Test
  void namesMeanFieldsEndsAndMore() {
    assertThat(relation("left.tier = \"Gold\" and right.age > 1 and seats = 2"))
        .isEqualTo(
            new Filter.And(
                List.of(left("tier").eq("Gold"), right("age").gt(1), field("seats").eq(2))));
    assertThat(entity("left.x = 1")).as("an entity has no ends").isEqualTo(field("left.x").eq(1));
    assertThat(entity("@key = 'c1'")).isEqualTo(meta(MetaField.KEY).eq("c1"));
    assertThat(entity("`in` = 'c1'")).isEqualTo(field("in").eq("c1"));
  }

  @Test
  void anyFindsTheListByTheSchema() {
    assertThat(entity("any(events.kind = \"click\")"))
        .isEqualTo(any("events", field("kind").eq("click")));
    assertThat(entity("any(events.at.ts > 1 and events.kind = 'x')"))
        .isEqualTo(any("events", field("at.ts").gt(1).and(field("kind").eq("x"))));
    assertThat(entity("any(profile.events.kind = 'x')"))
        .isEqualTo(any("profile.events", field("kind").eq("x")));
    assertThat(entity("any(tags = 'x')")).isEqualTo(any("tags", item().eq("x")));
    assertThat(entity("any(more.a.b = 'x')"))
        .as("all but the last, where no schema tells")
        .isEqualTo(any("more.a", field("b").eq("x")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "tier =| 6|there is no value behind '='",
        "tier = Gold| 7|put text in quotes",
        "tier \"Gold\"| 5|take one of",
        "age > 1 age < 5| 8|'and' or 'or'",
        "age > 1 and| 11|where a field should be",
        "(age > 1| 8|')' should be",
        "tier = \"Gold| 7|isn't closed",
        "active = true| 9|'is true'",
        "tier = null| 7|'is null'",
        "age # 1| 4|can't stand here",
        "tier in \"a\"| 8|'(' should be",
        "tier is 5| 8|null, not null, true or false",
        "tier startswith 5| 16|a text in quotes",
        "any(age = 1 and tier = 'x')| 0|one list",
        "any(any(tags = 'x'))| 0|inside of any()",
        "@nope = 1| 0|@key",
        "age not 5| 8|'not' stands before",
        "in = 5| 0|written `in`",
        "tier = \"\\x\"| 8|no escape",
        "age > 1e99999| 6|exponent",
        "tier. = 1| 6|where a field should be"
      })
  void whatIsNoConditionIsMarkedWhereItGoesWrong(String text, int position, String problem) {
    InvalidFilterException e =
        catchThrowableOfType(InvalidFilterException.class, () -> entity(text));
    assertThat(e).as(text).isNotNull();
    assertThat(e.position()).as(text).isEqualTo(position);
    assertThat(e.code()).isEqualTo("invalid-filter");
    assertThat(e.getMessage())
        .contains(problem)
        .endsWith("\n  " + text + "\n  " + " ".repeat(position) + "^");
  }

  @Test
  void nestingHasALimit() {
    String deep = "(".repeat(5000) + "age = 1" + ")".repeat(5000);
    InvalidFilterException e =
        catchThrowableOfType(InvalidFilterException.class, () -> entity(deep));
    assertThat(e).hasMessageContaining("nested more than");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tier = \"Gold\" and (age > 30 or age < 5)",
        "any(events.kind = \"click\")",
        "not (tier in (\"a\", null, 5))",
        "tier startswith \"a\\\"b\" and active is true and age is not null"
      })
  void aFilterIsWrittenAsItIsRead(String text) {
    assertThat(entity(text)).hasToString(text);
  }
}
