// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Statement that has been found to be one query on tables and functions that are allowed.
 *
 * <p>DuckDB itself parses it, and tells the tree only of what is a SELECT.
 *
 * @param tables what it reads, in lower case
 * @param withNames names that it gives to queries of its own; which of the tables are these isn't
 *     known, since each has its scope
 * @param parameters how many values it waits for
 * @param listsTables whether it asks which tables there are
 */
record CheckedSql(
    String text, Set<String> tables, Set<String> withNames, int parameters, boolean listsTables) {

  private static final int LONGEST = 1_000_000;

  /** As deep as DuckDB makes trees; it limits the depth of statements itself. */
  private static final JsonMapper TREE =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(Integer.MAX_VALUE)
                          .maxStringLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .build();

  private static final String PARSE =
      "SELECT json_serialize_sql(CAST(? AS VARCHAR), skip_null := true)";

  static CheckedSql of(Connection connection, String text) throws SQLException {
    if (text.length() > LONGEST) {
      throw new InvalidSqlException(
          "the statement has "
              + text.length()
              + " characters; at most "
              + LONGEST
              + " are taken, so pass values as parameters");
    }
    if (text.indexOf('\0') >= 0) {
      throw new InvalidSqlException("the statement has a zero character in it; remove it");
    }
    JsonNode tree = LargeStackThread.call(() -> parse(connection, text));
    if (tree.path("error").asBoolean()) {
      throw refused(text, tree);
    }
    JsonNode statements = tree.path("statements");
    if (statements.size() != 1) {
      throw new RefusedSqlException(
          statements.isEmpty()
              ? "there is no statement; write a SELECT"
              : "there are " + statements.size() + " statements; give them one by one");
    }
    SyntaxTreeCheck walk = new SyntaxTreeCheck();
    walk.visit(statements.get(0));
    return new CheckedSql(
        text,
        new TreeSet<>(walk.tables()),
        new TreeSet<>(walk.withNames()),
        walk.parameters(),
        walk.listsTables());
  }

  private static JsonNode parse(Connection connection, String text) throws SQLException {
    try (PreparedStatement parse = connection.prepareStatement(PARSE)) {
      parse.setString(1, text);
      try (ResultSet result = parse.executeQuery()) {
        result.next();
        return TREE.readTree(result.getString(1));
      }
    } catch (IOException e) {
      throw new IllegalStateException("DuckDB's tree of a statement is no JSON", e);
    }
  }

  private static RuntimeException refused(String text, JsonNode tree) {
    String problem = tree.path("error_message").asText();
    if (!tree.path("error_type").asText().equals("parser")) {
      return new RefusedSqlException(
          "only a SELECT is run, also as FROM .., VALUES .., DESCRIBE .. or SUMMARIZE ..; PIVOT,"
              + " settings and all that writes aren't");
    }
    int position = tree.path("position").asInt(-1);
    return new InvalidSqlException(
        SqlErrorTranslator.tooDeep(problem)
            .orElseGet(
                () ->
                    "the statement isn't understood: "
                        + SqlErrorTranslator.withoutSettings(problem)
                        + place(text, position)));
  }

  /** Returns the line with the mistake, and a mark below it. */
  private static String place(String text, int bytes) {
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    if (bytes < 0 || bytes > all.length) {
      return "";
    }
    String before = new String(all, 0, bytes, StandardCharsets.UTF_8);
    int start = before.lastIndexOf('\n') + 1;
    int end = text.indexOf('\n', before.length());
    String line = text.substring(start, end < 0 ? text.length() : end);
    int column = before.substring(start).codePointCount(0, before.length() - start);
    return "\n  " + line.replaceAll("\\p{Cntrl}", " ") + "\n  " + " ".repeat(column) + "^";
  }

  static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
