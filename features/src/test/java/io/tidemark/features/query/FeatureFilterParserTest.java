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
class FeatureFilterParserTest {

  private static final FeatureField X = FeatureField.property("x");

  @Test
  void valuesHaveTypes() {
    assertThat(FeatureFilter.parse("p.x=70")).isEqualTo(FeatureFilter.eq(X, new BigDecimal("70")));
    assertThat(FeatureFilter.parse("p.x='70'")).isEqualTo(FeatureFilter.eq(X, "70"));
    assertThat(FeatureFilter.parse("p.x=true")).isEqualTo(FeatureFilter.eq(X, true));
    assertThat(FeatureFilter.parse("p.x=red")).isEqualTo(FeatureFilter.eq(X, "red"));
    assertThat(FeatureFilter.parse("p.x=007")).isEqualTo(FeatureFilter.eq(X, "007"));
    assertThat(FeatureFilter.parse("p.x='it''s a,b&c'"))
        .isEqualTo(FeatureFilter.eq(X, "it's a,b&c"));
    assertThat(FeatureFilter.parse("p.x=''")).isEqualTo(FeatureFilter.eq(X, ""));
    assertThat(FeatureFilter.parse("p.x=.null"))
        .isEqualTo(
            FeatureFilter.any(FeatureFilter.isNull(X), FeatureFilter.not(FeatureFilter.exists(X))));
  }

  @Test
  void aCommaIsOrAndForNotEqualNoneOfThem() {
    FeatureFilter either = FeatureFilter.any(FeatureFilter.eq(X, "a"), FeatureFilter.eq(X, "b"));

    assertThat(FeatureFilter.parse("p.x=a,b")).isEqualTo(either);
    assertThat(FeatureFilter.parse("p.x!=a,b")).isEqualTo(FeatureFilter.not(either));
    assertThat(FeatureFilter.parse("p.x=a&p.y!=b"))
        .isEqualTo(
            FeatureFilter.all(
                FeatureFilter.eq(X, "a"), FeatureFilter.ne(FeatureField.property("y"), "b")));
  }

  @Test
  void operatorsHaveTwoSpellings() {
    BigDecimal five = new BigDecimal("5");
    for (String gt : List.of("p.x>5", "p.x=gt=5")) {
      assertThat(FeatureFilter.parse(gt)).isEqualTo(FeatureFilter.gt(X, five));
    }
    for (String gte : List.of("p.x>=5", "p.x=gte=5")) {
      assertThat(FeatureFilter.parse(gte)).isEqualTo(FeatureFilter.gte(X, five));
    }
    for (String lt : List.of("p.x<5", "p.x=lt=5")) {
      assertThat(FeatureFilter.parse(lt)).isEqualTo(FeatureFilter.lt(X, five));
    }
    for (String lte : List.of("p.x<=5", "p.x=lte=5")) {
      assertThat(FeatureFilter.parse(lte)).isEqualTo(FeatureFilter.lte(X, five));
    }
    for (String contains : List.of("p.x@>5", "p.x=cs=5")) {
      assertThat(FeatureFilter.parse(contains)).isEqualTo(FeatureFilter.contains(X, five));
    }
    assertThat(FeatureFilter.parse("p.x@>[1,2],{\"a\":\",\"}&p.x=1"))
        .isInstanceOf(FeatureFilter.All.class);
  }

  @Test
  void fieldsAreOfTheFeatureOrOfTheNamespace() {
    assertThat(FeatureField.parse("f.id")).isEqualTo(FeatureField.ID);
    assertThat(FeatureField.parse("f.author")).isEqualTo(FeatureField.metadata("author"));
    assertThat(FeatureField.parse("p.@ns:com:here:xyz.author"))
        .isEqualTo(FeatureField.metadata("author"));
    assertThat(FeatureField.parse("p.a.b")).isEqualTo(FeatureField.property("a", "b"));
    assertThat(FeatureField.parse("p.\"a.b\"")).isEqualTo(FeatureField.property("a.b"));
    assertThat(FeatureFilter.parse("p.a@b@>1")).isInstanceOf(FeatureFilter.Contains.class);
  }

  @Test
  void ordersCanBeGivenAsText() {
    assertThat(FeatureOrder.parse("id")).isEqualTo(FeatureOrder.BY_ID);
    assertThat(FeatureOrder.parse("f.id")).isEqualTo(FeatureOrder.BY_ID);
    assertThat(FeatureOrder.parse("-updatedAt")).isEqualTo(FeatureOrder.BY_UPDATE.descending());
    assertThat(FeatureOrder.parse("i")).isEqualTo(FeatureOrder.BY_ROW);
    assertThat(FeatureOrder.parse("p.x")).isEqualTo(FeatureOrder.by(X));
    assertThatThrownBy(() -> FeatureOrder.parse("x")).isInstanceOf(InvalidRequestException.class);
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
    assertThatThrownBy(() -> FeatureFilter.parse(text))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("at position %d:".formatted(position));
  }

  @Test
  void valuesThatNobodyCanHaveAreRefused() {
    for (Object value :
        List.of(
            Double.NaN, Float.POSITIVE_INFINITY, "nul\0", new Object(), new BigDecimal("1e2000"))) {
      assertThatThrownBy(() -> FeatureFilter.eq(X, value))
          .isInstanceOf(InvalidRequestException.class);
    }
    assertThatThrownBy(() -> FeatureFilter.gt(X, true)).isInstanceOf(InvalidRequestException.class);
    FeatureFilter deep = FeatureFilter.exists(X);
    for (int i = 0; i < 100; i++) {
      deep = FeatureFilter.not(deep);
    }
    FeatureFilter deepest = deep;
    assertThatThrownBy(() -> FeatureQuery.from("c").where(deepest))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> FeatureQuery.from("c").limit(0))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> FeatureQuery.from()).isInstanceOf(InvalidRequestException.class);
  }
}
