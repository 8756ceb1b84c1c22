// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.InvalidRequestException;
import java.util.List;

/**
 * Condition on the contents of a feature.
 *
 * <p>A condition is true or it is not: a field that is absent, or of another type than the value it
 * is compared with, never makes a query fail, and numbers are compared exactly. So {@link Not} is
 * always the complement, and "not equal" is also true of features that lack the field.
 */
public sealed interface FeatureFilter {

  /** Operator of a comparison. */
  enum Comparison {
    GT(">"),
    GTE(">="),
    LT("<"),
    LTE("<=");

    final String sql;

    Comparison(String sql) {
      this.sql = sql;
    }
  }

  /** True if the field exists, whatever its value, null included. */
  record Exists(FeatureField field) implements FeatureFilter {}

  /** The field is there and null. */
  record IsNull(FeatureField field) implements FeatureFilter {}

  /**
   * The field has a value, of the same type and equal to the one given.
   *
   * @param value not null; for that there is {@link IsNull}
   */
  record Eq(FeatureField field, JsonNode value) implements FeatureFilter {
    public Eq {
      value = FilterValues.checked(value);
      if (value.isNull()) {
        throw new InvalidRequestException("nothing is equal to null; ask whether it is null");
      }
    }
  }

  /**
   * The field is beyond a value of the same type.
   *
   * @param value a number, or a text, which is compared by its characters
   */
  record Compares(FeatureField field, Comparison comparison, JsonNode value)
      implements FeatureFilter {
    public Compares {
      value = FilterValues.checked(value);
      if (!value.isNumber() && !value.isTextual()) {
        throw new InvalidRequestException(
            "%s has no order to be %s; give a number or a text"
                .formatted(FilterValues.describe(value), comparison));
      }
    }
  }

  /** The field is a text that begins so. No character has a special meaning. */
  record StartsWith(FeatureField field, String prefix) implements FeatureFilter {
    public StartsWith {
      FilterValues.checked(FilterValues.of(prefix));
    }
  }

  /**
   * The field holds the value: a list that has it among its elements, an object that has at least
   * its members, or the value itself. Of a list, all elements are to be held.
   */
  record Contains(FeatureField field, JsonNode value) implements FeatureFilter {
    public Contains {
      value = FilterValues.checked(value);
    }
  }

  /** True if all parts are true, or if there are none. */
  record All(List<FeatureFilter> parts) implements FeatureFilter {
    public All {
      parts = List.copyOf(parts);
    }
  }

  /** True if at least one part is true. */
  record Any(List<FeatureFilter> parts) implements FeatureFilter {
    public Any {
      parts = List.copyOf(parts);
    }
  }

  /** True if the part isn't true. */
  record Not(FeatureFilter part) implements FeatureFilter {}

  static FeatureFilter exists(FeatureField featureField) {
    return new Exists(featureField);
  }

  static FeatureFilter isNull(FeatureField featureField) {
    return new IsNull(featureField);
  }

  /** The field is there and not null. */
  static FeatureFilter isNotNull(FeatureField featureField) {
    return new All(List.of(new Exists(featureField), new Not(new IsNull(featureField))));
  }

  /**
   * The field is of the same type as a value and equal to it.
   *
   * @param value a text, a number, a boolean or JSON; so in all that follow
   */
  static FeatureFilter eq(FeatureField featureField, Object value) {
    return new Eq(featureField, FilterValues.of(value));
  }

  static FeatureFilter ne(FeatureField featureField, Object value) {
    return new Not(eq(featureField, value));
  }

  static FeatureFilter gt(FeatureField featureField, Object value) {
    return new Compares(featureField, Comparison.GT, FilterValues.of(value));
  }

  static FeatureFilter gte(FeatureField featureField, Object value) {
    return new Compares(featureField, Comparison.GTE, FilterValues.of(value));
  }

  static FeatureFilter lt(FeatureField featureField, Object value) {
    return new Compares(featureField, Comparison.LT, FilterValues.of(value));
  }

  static FeatureFilter lte(FeatureField featureField, Object value) {
    return new Compares(featureField, Comparison.LTE, FilterValues.of(value));
  }

  static FeatureFilter startsWith(FeatureField featureField, String prefix) {
    return new StartsWith(featureField, prefix);
  }

  static FeatureFilter contains(FeatureField featureField, Object value) {
    return new Contains(featureField, FilterValues.of(value));
  }

  static FeatureFilter all(FeatureFilter... parts) {
    return new All(List.of(parts));
  }

  static FeatureFilter any(FeatureFilter... parts) {
    return new Any(List.of(parts));
  }

  static FeatureFilter not(FeatureFilter part) {
    return new Not(part);
  }

  /**
   * Parses conditions, such as {@code p.speedLimit>=50&p.name='Main Street','Broadway'}.
   *
   * <pre>
   * conditions  field op value,value…  joined by &amp;, all of which are to be true
   * field       p.name (a property), p.name.deeper, p."na.me", f.name (metadata), f.id
   * op          =  !=  &gt;  &gt;=  &lt;  &lt;=  @&gt; (contains), or  =gt=  =gte=  =lt=  =lte=  =cs=
   * value       70, 'a text', true, .null (null or absent), JSON after @&gt;; else a text
   * </pre>
   *
   * Several values mean one of them; after {@code !=} none of them. A quote in a text is doubled.
   *
   * @throws InvalidRequestException with the place at which it can't be read
   */
  static FeatureFilter parse(String text) {
    return new FeatureFilterParser(text).conditions();
  }
}
