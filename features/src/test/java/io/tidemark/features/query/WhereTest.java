// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.InvalidRequestException;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions as text: the grammar of the spec's section 1.8. */
class WhereTest {

  private static final Field X = Field.property("x");

  @Test
  void valuesHaveTypes() {
    assertThat(Filter.parse("p.x=70")).isEqualTo(Filter.eq(X, new BigDecimal("70")));
    assertThat(Filter.parse("p.x='70'")).isEqualTo(Filter.eq(X, "70"));
    assertThat(Filter.parse("p.x=true")).isEqualTo(Filter.eq(X, true));
    assertThat(Filter.parse("p.x=red")).isEqualTo(Filter.eq(X, "red"));
    assertThat(Filter.parse("p.x=007")).isEqualTo(Filter.eq(X, "007"));
    assertThat(Filter.parse("p.x='it''s a,b&c'")).isEqualTo(Filter.eq(X, "it's a,b&c"));
    assertThat(Filter.parse("p.x=''")).isEqualTo(Filter.eq(X, ""));
    assertThat(Filter.parse("p.x=.null"))
        .isEqualTo(Filter.any(Filter.isNull(X), Filter.not(Filter.exists(X))));
  }

  @Test
  void aCommaIsOrAndForNotEqualNoneOfThem() {
    Filter either = Filter.any(Filter.eq(X, "a"), Filter.eq(X, "b"));

    assertThat(Filter.parse("p.x=a,b")).isEqualTo(either);
    assertThat(Filter.parse("p.x!=a,b")).isEqualTo(Filter.not(either));
    assertThat(Filter.parse("p.x=a&p.y!=b"))
        .isEqualTo(Filter.all(Filter.eq(X, "a"), Filter.ne(Field.property("y"), "b")));
  }

  @Test
  void operatorsHaveTwoSpellings() {
    BigDecimal five = new BigDecimal("5");
    for (String gt : List.of("p.x>5", "p.x=gt=5")) {
      assertThat(Filter.parse(gt)).isEqualTo(Filter.gt(X, five));
    }
    for (String gte : List.of("p.x>=5", "p.x=gte=5")) {
      assertThat(Filter.parse(gte)).isEqualTo(Filter.gte(X, five));
    }
    for (String lt : List.of("p.x<5", "p.x=lt=5")) {
      assertThat(Filter.parse(lt)).isEqualTo(Filter.lt(X, five));
    }
    for (String lte : List.of("p.x<=5", "p.x=lte=5")) {
      assertThat(Filter.parse(lte)).isEqualTo(Filter.lte(X, five));
    }
    for (String contains : List.of("p.x@>5", "p.x=cs=5")) {
      assertThat(Filter.parse(contains)).isEqualTo(Filter.contains(X, five));
    }
    assertThat(Filter.parse("p.x@>[1,2],{\"a\":\",\"}&p.x=1")).isInstanceOf(Filter.All.class);
  }

  @Test
  void fieldsAreOfTheFeatureOrOfTheNamespace() {
    assertThat(Field.parse("f.id")).isEqualTo(Field.ID);
    assertThat(Field.parse("f.author")).isEqualTo(Field.noted("author"));
    assertThat(Field.parse("p.@ns:com:here:xyz.author")).isEqualTo(Field.noted("author"));
    assertThat(Field.parse("p.a.b")).isEqualTo(Field.property("a", "b"));
    assertThat(Field.parse("p.\"a.b\"")).isEqualTo(Field.property("a.b"));
    assertThat(Filter.parse("p.a@b@>1")).isInstanceOf(Filter.Contains.class);
  }

  @Test
  void ordersCanBeGivenAsText() {
    assertThat(Order.parse("id")).isEqualTo(Order.BY_ID);
    assertThat(Order.parse("f.id")).isEqualTo(Order.BY_ID);
    assertThat(Order.parse("-updatedAt")).isEqualTo(Order.BY_UPDATE.descending());
    assertThat(Order.parse("i")).isEqualTo(Order.BY_ROW);
    assertThat(Order.parse("p.x")).isEqualTo(Order.by(X));
    assertThatThrownBy(() -> Order.parse("x")).isInstanceOf(InvalidRequestException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | 1",
        "x=1 | 1",
        "p=1 | 1",
        "p.=1 | 3",
        "p.x | 4",
        "p.x= | 5",
        "p.x=1, | 7",
        "p.x=1& | 7",
        "p.x>a | 5",
        "p.x>true | 5",
        "p.x>'5' | 5",
        "p.x='a | 5",
        "p.x='a'b | 8",
        "p.x@>{\"a\" | 6",
        "f.nothing=1 | 1",
        "p.x~1 | 6",
        "p.y=1&p.x<.null | 11"
      })
  void whatCantBeReadIsMarked(String text, int position) {
    assertThatThrownBy(() -> Filter.parse(text))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("at position %d:".formatted(position));
  }

  @Test
  void valuesThatNobodyCanHaveAreRefused() {
    for (Object value :
        List.of(
            Double.NaN, Float.POSITIVE_INFINITY, "nul\0", new Object(), new BigDecimal("1e2000"))) {
      assertThatThrownBy(() -> Filter.eq(X, value)).isInstanceOf(InvalidRequestException.class);
    }
    assertThatThrownBy(() -> Filter.gt(X, true)).isInstanceOf(InvalidRequestException.class);
    Filter deep = Filter.exists(X);
    for (int i = 0; i < 100; i++) {
      deep = Filter.not(deep);
    }
    Filter deepest = deep;
    assertThatThrownBy(() -> FeatureQuery.from("c").where(deepest))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> FeatureQuery.from("c").limit(0))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> FeatureQuery.from()).isInstanceOf(InvalidRequestException.class);
  }
}
