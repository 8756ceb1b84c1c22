// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of SQL with its parameters. The text is our own; all that somebody gave is a parameter.
 *
 * @param text with a {@code ?} for each parameter
 * @param arguments texts, numbers, and lists of either
 */
public record SqlText(String text, List<Object> arguments) {

  public SqlText {
    arguments = List.copyOf(arguments);
  }

  static SqlText of(String text, Object... arguments) {
    return new SqlText(text, List.of(arguments));
  }

  /** Several pieces, with a text between each two. */
  static SqlText join(String between, List<SqlText> parts) {
    List<Object> arguments = new ArrayList<>();
    parts.forEach(part -> arguments.addAll(part.arguments));
    return new SqlText(String.join(between, parts.stream().map(SqlText::text).toList()), arguments);
  }

  /** This and then another. */
  SqlText then(SqlText next) {
    return join("", List.of(this, next));
  }

  SqlText then(String next, Object... more) {
    return then(of(next, more));
  }

  /** This in brackets. */
  SqlText bracketed() {
    return new SqlText("(" + text + ")", arguments);
  }
}
