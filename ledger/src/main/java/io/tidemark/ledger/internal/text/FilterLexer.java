// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.text;

import io.tidemark.ledger.internal.text.FilterToken.TokenKind;
import io.tidemark.ledger.query.model.Keywords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lexer of conditions. */
final class FilterLexer {

  private static final Pattern NAME = Pattern.compile("@?[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,5})?");
  private static final Pattern SIGN = Pattern.compile("==|!=|<>|<=|>=|[=<>().,]");

  private final String filter;
  private int at;

  private FilterLexer(String filter) {
    this.filter = filter;
  }

  static List<FilterToken> of(String filter) {
    FilterLexer filterLexer = new FilterLexer(filter);
    List<FilterToken> all = new ArrayList<>();
    for (FilterToken next = filterLexer.next(); ; next = filterLexer.next()) {
      all.add(next);
      if (next.kind() == TokenKind.END) {
        return all;
      }
    }
  }

  private FilterToken next() {
    while (at < filter.length() && Character.isWhitespace(filter.charAt(at))) {
      at++;
    }
    int start = at;
    if (at == filter.length()) {
      return new FilterToken(TokenKind.END, "", start);
    }
    char c = filter.charAt(at);
    if (c == '"' || c == '\'') {
      return new FilterToken(TokenKind.TEXT, quoted(c), start);
    }
    if (c == '`') {
      return new FilterToken(TokenKind.NAME, quoted(c), start);
    }
    if (matches(NAME)) {
      String word = filter.substring(start, at);
      String lower = word.toLowerCase(Locale.ROOT);
      // Behind a dot every name is a field's.
      boolean field = start > 0 && filter.charAt(start - 1) == '.';
      return Keywords.contains(word) && !field
          ? new FilterToken(TokenKind.KEYWORD, lower, start)
          : new FilterToken(TokenKind.NAME, word, start);
    }
    if (matches(NUMBER)) {
      return new FilterToken(TokenKind.NUMBER, filter.substring(start, at), start);
    }
    if (matches(SIGN)) {
      return new FilterToken(TokenKind.SIGN, filter.substring(start, at), start);
    }
    throw new InvalidFilterException(
        filter,
        start,
        "'"
            + Character.toString(filter.codePointAt(start))
            + "' can't stand here; put text in"
            + " quotes");
  }

  private boolean matches(Pattern pattern) {
    Matcher matcher = pattern.matcher(filter).region(at, filter.length());
    if (matcher.lookingAt()) {
      at = matcher.end();
      return true;
    }
    return false;
  }

  private String quoted(char quote) {
    int start = at++;
    StringBuilder text = new StringBuilder();
    while (at < filter.length() && filter.charAt(at) != quote) {
      char c = filter.charAt(at++);
      text.append(c == '\\' && quote != '`' ? escaped() : c);
    }
    if (at >= filter.length()) {
      throw new InvalidFilterException(
          filter, start, "the quote " + quote + " isn't closed; write another one at its end");
    }
    at++;
    return text.toString();
  }

  private char escaped() {
    char c = at < filter.length() ? filter.charAt(at++) : ' ';
    return switch (c) {
      case '"', '\'', '\\', '/' -> c;
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> unicode();
      default ->
          throw new InvalidFilterException(
              filter,
              at - 2,
              "there is no escape \\" + c + "; take \\\" \\' \\\\ \\n \\t or \\u00e9");
    };
  }

  private char unicode() {
    String digits = at + 4 <= filter.length() ? filter.substring(at, at + 4) : "";
    if (!digits.matches("[0-9a-fA-F]{4}")) {
      throw new InvalidFilterException(filter, at - 2, "\\u needs four hex digits behind it");
    }
    at += 4;
    return (char) Integer.parseInt(digits, 16);
  }
}
