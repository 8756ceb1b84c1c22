// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.model.InvalidRequestException;
import java.util.List;

/**
 * A condition on what is in a feature.
 *
 * <p>A condition is true or it is not: a field that is absent, or of another type than the value it
 * is compared with, never makes a query fail, and numbers are compared exactly. So {@link Not} is
 * always the complement, and "not equal" is also true of features that lack the field.
 */
public sealed interface Filter {

  /** How a field is compared. */
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

  /** The field is there, whatever its value, null included. */
  record Exists(Field field) implements Filter {}

  /** The field is there and null. */
  record IsNull(Field field) implements Filter {}

  /**
   * The field has a value, of the same type and equal to the one given.
   *
   * @param value not null; for that there is {@link IsNull}
   */
  record Eq(Field field, JsonNode value) implements Filter {
    public Eq {
      value = Values.checked(value);
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
  record Beyond(Field field, Comparison comparison, JsonNode value) implements Filter {
    public Beyond {
      value = Values.checked(value);
      if (!value.isNumber() && !value.isTextual()) {
        throw new InvalidRequestException(
            "%s has no order to be %s; give a number or a text"
                .formatted(Values.shown(value), comparison));
      }
    }
  }

  /** The field is a text that begins so. No character has a special meaning. */
  record StartsWith(Field field, String prefix) implements Filter {
    public StartsWith {
      Values.checked(Values.of(prefix));
    }
  }

  /**
   * The field holds the value: a list that has it among its elements, an object that has at least
   * its members, or the value itself. Of a list, all elements are to be held.
   */
  record Contains(Field field, JsonNode value) implements Filter {
    public Contains {
      value = Values.checked(value);
    }
  }

  /** All of them are true; so it is when there are none. */
  record All(List<Filter> parts) implements Filter {
    public All {
      parts = List.copyOf(parts);
    }
  }

  /** One of them is true; not so when there are none. */
  record Any(List<Filter> parts) implements Filter {
    public Any {
      parts = List.copyOf(parts);
    }
  }

  /** It isn't true. */
  record Not(Filter part) implements Filter {}

  static Filter exists(Field field) {
    return new Exists(field);
  }

  static Filter isNull(Field field) {
    return new IsNull(field);
  }

  /** The field is there and not null. */
  static Filter isNotNull(Field field) {
    return new All(List.of(new Exists(field), new Not(new IsNull(field))));
  }

  /**
   * The field is of the same type as a value and equal to it.
   *
   * @param value a text, a number, a boolean or JSON; so in all that follow
   */
  static Filter eq(Field field, Object value) {
    return new Eq(field, Values.of(value));
  }

  static Filter ne(Field field, Object value) {
    return new Not(eq(field, value));
  }

  static Filter gt(Field field, Object value) {
    return new Beyond(field, Comparison.GT, Values.of(value));
  }

  static Filter gte(Field field, Object value) {
    return new Beyond(field, Comparison.GTE, Values.of(value));
  }

  static Filter lt(Field field, Object value) {
    return new Beyond(field, Comparison.LT, Values.of(value));
  }

  static Filter lte(Field field, Object value) {
    return new Beyond(field, Comparison.LTE, Values.of(value));
  }

  static Filter startsWith(Field field, String prefix) {
    return new StartsWith(field, prefix);
  }

  static Filter contains(Field field, Object value) {
    return new Contains(field, Values.of(value));
  }

  static Filter all(Filter... parts) {
    return new All(List.of(parts));
  }

  static Filter any(Filter... parts) {
    return new Any(List.of(parts));
  }

  static Filter not(Filter part) {
    return new Not(part);
  }

  /**
   * Reads conditions as text, such as {@code p.speedLimit>=50&p.name='Main Street','Broadway'}.
   *
   * <pre>
   * conditions  field op value,value…  joined by &amp;, all of which are to be true
   * field       p.name (a property), p.name.deeper, p."na.me", f.name (what the storage notes), f.id
   * op          =  !=  &gt;  &gt;=  &lt;  &lt;=  @&gt; (contains), or  =gt=  =gte=  =lt=  =lte=  =cs=
   * value       70, 'a text', true, .null (null or absent), JSON after @&gt;; else a text
   * </pre>
   *
   * Several values mean one of them; after {@code !=} none of them. A quote in a text is doubled.
   *
   * @throws InvalidRequestException with the place at which it can't be read
   */
  static Filter parse(String text) {
    return new Where(text).conditions();
  }
}
