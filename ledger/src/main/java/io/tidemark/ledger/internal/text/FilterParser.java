// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

import io.tidemark.ledger.internal.text.FilterToken.TokenKind;
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
 * Parser of conditions as people write them, by descending from {@code or} to {@code and} to {@code
 * not} to single conditions. A text that is no condition is an {@link InvalidFilterException}; one
 * about fields that don't exist is found out when it is asked.
 */
public final class FilterParser {

  private static final int DEEPEST = 100;

  private final String text;
  private final List<FilterToken> tokens;
  private final FilterPathResolver filterPathResolver;
  private int next;
  private int depth;

  private FilterParser(String text, TypeSchema schema) {
    this.text = text;
    this.tokens = FilterLexer.of(text);
    this.filterPathResolver = new FilterPathResolver(schema);
  }

  /**
   * Parses a text and returns its filter.
   *
   * @param schema of the type that is queried: it says which names are ends, and which are lists
   */
  public static Filter parse(String text, TypeSchema schema) {
    FilterParser parser = new FilterParser(text, schema);
    Filter filter = parser.or();
    if (parser.peek().kind() != TokenKind.END) {
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
    } while (take(TokenKind.KEYWORD, word));
    return parts.size() == 1 ? parts.get(0) : join.apply(parts);
  }

  private Filter not() {
    if (++depth > DEEPEST) {
      throw error(peek(), "conditions are nested more than " + DEEPEST + " deep");
    }
    try {
      return take(TokenKind.KEYWORD, "not") ? new Filter.Not(not()) : primary();
    } finally {
      depth--;
    }
  }

  private Filter primary() {
    if (take(TokenKind.SIGN, "(")) {
      Filter inner = or();
      require(")", "to close the bracket");
      return inner;
    }
    FilterToken first = peek();
    if (take(TokenKind.KEYWORD, "any")) {
      require("(", "behind 'any'");
      Filter inner = or();
      require(")", "to close 'any('");
      return checked(first, inner, filterPathResolver::any);
    }
    return condition();
  }

  private Filter condition() {
    FilterToken first = peek();
    Operand operand = checked(first, path(), filterPathResolver::operand);
    FilterToken word = peek();
    next++;
    if (word.kind() == TokenKind.SIGN) {
      return new Filter.Compare(operand, comparison(word), single(word));
    }
    return switch (word.kind() == TokenKind.KEYWORD ? word.text() : "") {
      case "is" -> is(operand);
      case "in" -> in(operand);
      case "not" -> {
        if (!take(TokenKind.KEYWORD, "in")) {
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

  /** Reads a name, or several with dots between them. */
  private List<String> path() {
    List<String> names = new ArrayList<>();
    do {
      FilterToken name = peek();
      if (name.kind() != TokenKind.NAME) {
        throw error(
            name,
            "there is "
                + name
                + " where a field should be"
                + (name.kind() == TokenKind.KEYWORD
                    ? "; a field of that name is written `" + name.text() + "`"
                    : ""));
      }
      names.add(name.text());
      next++;
    } while (take(TokenKind.SIGN, "."));
    return names;
  }

  private Comparison comparison(FilterToken sign) {
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

  /** Returns a value to compare with, which null and booleans aren't. */
  private Literal single(FilterToken sign) {
    FilterToken filterToken = peek();
    Literal value = literal(sign);
    if (value == Literal.Null.NULL || value instanceof Literal.Bool) {
      throw error(
          filterToken,
          "nothing is compared with "
              + filterToken.text()
              + "; write 'is "
              + filterToken.text()
              + "'");
    }
    return value;
  }

  private Literal literal(FilterToken before) {
    FilterToken filterToken = peek();
    next++;
    return switch (filterToken.kind()) {
      case TEXT -> checked(filterToken, filterToken.text(), Literal.Text::new);
      case NUMBER ->
          checked(filterToken, filterToken.text(), value -> new Literal.Num(new BigDecimal(value)));
      case KEYWORD -> {
        if (filterToken.text().equals("null")) {
          yield Literal.Null.NULL;
        }
        if (filterToken.text().equals("true") || filterToken.text().equals("false")) {
          yield Literal.Bool.of(filterToken.text().equals("true"));
        }
        throw error(filterToken, "there is " + filterToken + " where a value should be");
      }
      case NAME -> throw error(filterToken, filterToken + " is no value; put text in quotes");
      default -> throw error(filterToken, "there is no value behind " + before);
    };
  }

  private Filter is(Operand operand) {
    boolean negated = take(TokenKind.KEYWORD, "not");
    FilterToken word = peek();
    next++;
    if (word.is(TokenKind.KEYWORD, "null")) {
      return new Filter.IsNull(operand, negated ? Nullness.NOT_NULL : Nullness.NULL);
    }
    if (!negated && (word.is(TokenKind.KEYWORD, "true") || word.is(TokenKind.KEYWORD, "false"))) {
      return new Filter.Compare(
          operand, Comparison.EQ, Literal.Bool.of(word.text().equals("true")));
    }
    throw error(word, "behind 'is' comes null, not null, true or false");
  }

  private Filter in(Operand operand) {
    FilterToken open = peek();
    require("(", "behind 'in'");
    List<Literal> values = new ArrayList<>();
    if (!take(TokenKind.SIGN, ")")) {
      do {
        values.add(literal(open));
      } while (take(TokenKind.SIGN, ","));
      require(")", "to close the list");
    }
    return new Filter.In(operand, values);
  }

  private Filter match(Operand operand, Place place) {
    FilterToken filterToken = peek();
    if (filterToken.kind() != TokenKind.TEXT) {
      throw error(filterToken, "behind '" + place.word() + "' comes a text in quotes");
    }
    next++;
    return new Filter.Match(
        operand, place, checked(filterToken, filterToken.text(), Literal.Text::new));
  }

  private FilterToken peek() {
    return tokens.get(Math.min(next, tokens.size() - 1));
  }

  private boolean take(TokenKind tokenKind, String word) {
    boolean there = peek().is(tokenKind, word);
    next += there ? 1 : 0;
    return there;
  }

  private void require(String sign, String why) {
    if (!take(TokenKind.SIGN, sign)) {
      throw error(peek(), "there is " + peek() + " where a '" + sign + "' should be " + why);
    }
  }

  /**
   * Builds a part of the filter; reports what the model refuses at the place where it was written.
   */
  private <A, B> B checked(FilterToken at, A value, Function<A, B> made) {
    try {
      return made.apply(value);
    } catch (InvalidQueryException e) {
      throw error(at, e.getMessage() == null ? "not allowed" : e.getMessage());
    }
  }

  private InvalidFilterException error(FilterToken at, String problem) {
    return new InvalidFilterException(text, at.at(), problem);
  }
}
