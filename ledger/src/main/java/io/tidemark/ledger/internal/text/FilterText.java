// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

import io.tidemark.ledger.internal.text.Token.Kind;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Filter.Nullness;
import io.tidemark.ledger.query.model.Filter.Place;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.schema.TypeSchema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads conditions as people write them, by descending from {@code or} to {@code and} to {@code
 * not} to single conditions. What is no condition is an {@link InvalidFilterException}; one about
 * fields that don't exist is found out when it is asked.
 */
public final class FilterText {

  private static final int DEEPEST = 100;

  private final String text;
  private final List<Token> tokens;
  private final Paths paths;
  private int next;
  private int depth;

  private FilterText(String text, TypeSchema schema) {
    this.text = text;
    this.tokens = Tokens.of(text);
    this.paths = new Paths(schema);
  }

  /**
   * The filter that a text means.
   *
   * @param schema of the type that is queried: it says which names are ends, and which are lists
   */
  public static Filter parse(String text, TypeSchema schema) {
    FilterText parser = new FilterText(text, schema);
    Filter filter = parser.or();
    if (parser.peek().kind() != Kind.END) {
      throw parser.error(
          parser.peek(),
          parser.peek() + " comes unexpectedly; join conditions by" + " 'and' or 'or'");
    }
    return filter;
  }

  private Filter or() {
    return joined("or", this::and, Filter.Or::new);
  }

  private Filter and() {
    return joined("and", this::not, Filter.And::new);
  }

  private Filter joined(String word, Supplier<Filter> part, Function<List<Filter>, Filter> join) {
    List<Filter> parts = new ArrayList<>();
    do {
      parts.add(part.get());
    } while (take(Kind.KEYWORD, word));
    return parts.size() == 1 ? parts.get(0) : join.apply(parts);
  }

  private Filter not() {
    if (++depth > DEEPEST) {
      throw error(peek(), "conditions are nested more than " + DEEPEST + " deep");
    }
    try {
      return take(Kind.KEYWORD, "not") ? new Filter.Not(not()) : primary();
    } finally {
      depth--;
    }
  }

  private Filter primary() {
    if (take(Kind.SIGN, "(")) {
      Filter inner = or();
      require(")", "to close the bracket");
      return inner;
    }
    Token first = peek();
    if (take(Kind.KEYWORD, "any")) {
      require("(", "behind 'any'");
      Filter inner = or();
      require(")", "to close 'any('");
      return checked(first, inner, paths::any);
    }
    return condition();
  }

  private Filter condition() {
    Token first = peek();
    Operand operand = checked(first, path(), paths::operand);
    Token word = peek();
    next++;
    if (word.kind() == Kind.SIGN) {
      return new Filter.Compare(operand, comparison(word), single(word));
    }
    return switch (word.kind() == Kind.KEYWORD ? word.text() : "") {
      case "is" -> is(operand);
      case "in" -> in(operand);
      case "not" -> {
        if (!take(Kind.KEYWORD, "in")) {
          throw error(peek(), "'not' stands before a whole condition or before 'in'");
        }
        yield new Filter.Not(in(operand));
      }
      case "startswith" -> match(operand, Place.STARTS_WITH);
      case "endswith" -> match(operand, Place.ENDS_WITH);
      case "contains" -> match(operand, Place.CONTAINS);
      default ->
          throw error(
              word,
              "behind "
                  + operand
                  + " comes "
                  + word
                  + "; take one of = != < <= > >= in, is, startswith, endswith, contains");
    };
  }

  /** A name, or several with dots between them. */
  private List<String> path() {
    List<String> names = new ArrayList<>();
    do {
      Token name = peek();
      if (name.kind() != Kind.NAME) {
        throw error(
            name,
            "there is "
                + name
                + " where a field should be"
                + (name.kind() == Kind.KEYWORD
                    ? "; a field of that name is written `" + name.text() + "`"
                    : ""));
      }
      names.add(name.text());
      next++;
    } while (take(Kind.SIGN, "."));
    return names;
  }

  private Comparison comparison(Token sign) {
    return switch (sign.text()) {
      case "=", "==" -> Comparison.EQ;
      case "!=", "<>" -> Comparison.NE;
      case "<" -> Comparison.LT;
      case "<=" -> Comparison.LE;
      case ">" -> Comparison.GT;
      case ">=" -> Comparison.GE;
      default -> throw error(sign, sign + " is no comparison; take = != < <= > or >=");
    };
  }

  /** A value to compare with, which null and booleans aren't. */
  private Literal single(Token sign) {
    Token token = peek();
    Literal value = literal(sign);
    if (value == Literal.Null.NULL || value instanceof Literal.Bool) {
      throw error(
          token, "nothing is compared with " + token.text() + "; write 'is " + token.text() + "'");
    }
    return value;
  }

  private Literal literal(Token before) {
    Token token = peek();
    next++;
    return switch (token.kind()) {
      case TEXT -> checked(token, token.text(), Literal.Text::new);
      case NUMBER -> checked(token, token.text(), value -> new Literal.Num(new BigDecimal(value)));
      case KEYWORD -> {
        if (token.text().equals("null")) {
          yield Literal.Null.NULL;
        }
        if (token.text().equals("true") || token.text().equals("false")) {
          yield Literal.Bool.of(token.text().equals("true"));
        }
        throw error(token, "there is " + token + " where a value should be");
      }
      case NAME -> throw error(token, token + " is no value; put text in quotes");
      default -> throw error(token, "there is no value behind " + before);
    };
  }

  private Filter is(Operand operand) {
    boolean negated = take(Kind.KEYWORD, "not");
    Token word = peek();
    next++;
    if (word.is(Kind.KEYWORD, "null")) {
      return new Filter.IsNull(operand, negated ? Nullness.NOT_NULL : Nullness.NULL);
    }
    if (!negated && (word.is(Kind.KEYWORD, "true") || word.is(Kind.KEYWORD, "false"))) {
      return new Filter.Compare(
          operand, Comparison.EQ, Literal.Bool.of(word.text().equals("true")));
    }
    throw error(word, "behind 'is' comes null, not null, true or false");
  }

  private Filter in(Operand operand) {
    Token open = peek();
    require("(", "behind 'in'");
    List<Literal> values = new ArrayList<>();
    if (!take(Kind.SIGN, ")")) {
      do {
        values.add(literal(open));
      } while (take(Kind.SIGN, ","));
      require(")", "to close the list");
    }
    return new Filter.In(operand, values);
  }

  private Filter match(Operand operand, Place place) {
    Token token = peek();
    if (token.kind() != Kind.TEXT) {
      throw error(token, "behind '" + place.word() + "' comes a text in quotes");
    }
    next++;
    return new Filter.Match(operand, place, checked(token, token.text(), Literal.Text::new));
  }

  private Token peek() {
    return tokens.get(Math.min(next, tokens.size() - 1));
  }

  private boolean take(Kind kind, String word) {
    boolean there = peek().is(kind, word);
    next += there ? 1 : 0;
    return there;
  }

  private void require(String sign, String why) {
    if (!take(Kind.SIGN, sign)) {
      throw error(peek(), "there is " + peek() + " where a '" + sign + "' should be " + why);
    }
  }

  /** What the model refuses is shown where it was written. */
  private <A, B> B checked(Token at, A value, Function<A, B> made) {
    try {
      return made.apply(value);
    } catch (InvalidQueryException e) {
      throw error(at, e.getMessage() == null ? "not allowed" : e.getMessage());
    }
  }

  private InvalidFilterException error(Token at, String problem) {
    return new InvalidFilterException(text, at.at(), problem);
  }
}
