// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of SQL with its parameters. The text is fixed; all values from callers are parameters.
 *
 * @param text with a {@code ?} for each parameter
 * @param arguments texts, numbers, and lists of either
 */
public record SqlFragment(String text, List<Object> arguments) {

  public SqlFragment {
    arguments = List.copyOf(arguments);
  }

  static SqlFragment of(String text, Object... arguments) {
    return new SqlFragment(text, List.of(arguments));
  }

  /** Joins several fragments, with a text between each two. */
  static SqlFragment join(String between, List<SqlFragment> parts) {
    List<Object> arguments = new ArrayList<>();
    parts.forEach(part -> arguments.addAll(part.arguments));
    return new SqlFragment(
        String.join(between, parts.stream().map(SqlFragment::text).toList()), arguments);
  }

  /** Appends another fragment. */
  SqlFragment then(SqlFragment next) {
    return join("", List.of(this, next));
  }

  SqlFragment then(String next, Object... more) {
    return then(of(next, more));
  }

  /** Puts the fragment in brackets. */
  SqlFragment bracketed() {
    return new SqlFragment("(" + text + ")", arguments);
  }
}
