// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Check that goes through DuckDB's tree of a statement, notes what it reads, and refuses the rest.
 *
 * <p>It doesn't have to understand the tree: wherever an object says that it is a table, a function
 * or a list of tables, it is looked at, whatever it is a part of.
 */
final class SyntaxTreeCheck {

  private static final BigInteger MOST_COPIES = BigInteger.valueOf(10_000);

  /**
   * Functions that make rows of their arguments. All other table functions read files, settings or
   * the system.
   */
  private static final Set<String> TABLE_FUNCTIONS =
      Set.of(
          "range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree");

  /** Functions that tell about the process, change it, run text as SQL or wait. */
  private static final Set<String> REFUSED =
      Set.of(
          "getenv",
          "getvariable",
          "current_setting",
          "nextval",
          "currval",
          "setseed",
          "sleep_ms",
          "pg_sleep",
          "write_log",
          "parse_duckdb_log_message",
          "which_secret",
          "json_execute_serialized_sql",
          "json_serialize_plan",
          "query",
          "query_table",
          "current_query",
          "current_query_id",
          "current_connection_id",
          "stats");

  /**
   * Functions that make something as large as a number says, which DuckDB's limits don't count; and
   * which of their arguments says it first. All behind it are looked at, too.
   */
  private static final Map<String, Integer> GROWING =
      Map.of(
          "repeat", 1,
          "lpad", 1,
          "rpad", 1,
          "list_resize", 1,
          "array_resize", 1,
          "range", 0,
          "generate_series", 0);

  private final Set<String> tables = new HashSet<>();
  private final Set<String> withNames = new HashSet<>();
  private final Set<String> parameters = new HashSet<>();
  private boolean listsTables;

  Set<String> tables() {
    return tables;
  }

  Set<String> withNames() {
    return withNames;
  }

  int parameters() {
    return parameters.size();
  }

  boolean listsTables() {
    return listsTables;
  }

  /** Goes through a tree of any depth, without recursion; the first in the text comes first. */
  void visit(JsonNode tree) {
    Deque<JsonNode> open = new ArrayDeque<>(List.of(tree));
    while (!open.isEmpty()) {
      JsonNode node = open.pop();
      if (node.isObject()) {
        check(node);
      }
      // A function that makes rows makes them one by one, so it may make many.
      boolean rows = node.path("type").asText().equals("TABLE_FUNCTION");
      Deque<JsonNode> children = new ArrayDeque<>();
      (rows ? node.path("function").path("arguments") : node).forEach(children::push);
      children.forEach(open::push);
    }
  }

  private void check(JsonNode node) {
    switch (node.path("type").asText()) {
      case "BASE_TABLE" -> table(node);
      case "TABLE_FUNCTION" -> tableFunction(node.path("function"));
      case "SHOW_REF" -> show(node);
      case "VALUE_PARAMETER" -> parameter(node.path("identifier").asText());
      default -> {}
    }
    if (node.has("function_name")) {
      function(node);
    }
    node.path("cte_map").path("map").forEach(with -> with(with.path("key").asText()));
  }

  private void table(JsonNode node) {
    JsonNode path = node.path("qualified_name").path("path");
    if (path.size() != 1) {
      throw new RefusedSqlException(
          "'" + joined(path) + "' is a table of a schema; types are named alone, without one");
    }
    tables.add(CheckedSql.folded(path.get(0).asText()));
  }

  private static void tableFunction(JsonNode function) {
    String name = CheckedSql.folded(function.path("function_name").asText());
    if (!TABLE_FUNCTIONS.contains(name)) {
      throw new RefusedSqlException(
          "the function "
              + name
              + " can't stand behind FROM here; only types and "
              + String.join(", ", new TreeSet<>(TABLE_FUNCTIONS))
              + " can");
    }
  }

  private void show(JsonNode node) {
    String name = node.path("table_name").asText().replace("\"", "");
    if (!node.path("show_type").asText().equals("SHOW_SPECIAL")) {
      if (!name.isEmpty()) {
        table(node);
      }
    } else if (name.equals("tables") || name.equals("__show_tables_expanded")) {
      listsTables = true;
    } else {
      throw new RefusedSqlException("SHOW " + name + " isn't for statements here; SHOW TABLES is");
    }
  }

  private void parameter(String name) {
    if (!name.matches("[0-9]+")) {
      throw new InvalidSqlException(
          "the parameter $" + name + " has a name; parameters are ? or $1, $2 ..");
    }
    parameters.add(name);
  }

  private void function(JsonNode node) {
    String name = CheckedSql.folded(node.path("function_name").asText());
    if (REFUSED.contains(name) || name.startsWith("pg_") || name.startsWith("duckdb_")) {
      throw new RefusedSqlException("the function " + name + " isn't for statements here");
    }
    Integer first = GROWING.get(name);
    if (first != null) {
      JsonNode arguments = node.path("arguments");
      for (int i = first; i < arguments.size(); i++) {
        JsonNode size = arguments.get(i).path("expression");
        if (!isText(size) && !isSmall(size)) {
          throw new RefusedSqlException(
              "%s can make more than there is memory for; write its number as least(.., %d)"
                  .formatted(name, MOST_COPIES));
        }
      }
    }
  }

  private static boolean isText(JsonNode expression) {
    return expression.path("literal").path("kind").asText().equals("STRING");
  }

  /** Returns whether a size is a small literal number, or the least of such a number and more. */
  private static boolean isSmall(JsonNode size) {
    Deque<JsonNode> open = new ArrayDeque<>(List.of(size));
    while (!open.isEmpty()) {
      JsonNode expression = open.pop();
      if (isSmallNumber(expression.path("literal"))) {
        return true;
      }
      if (expression.path("function_name").asText().equalsIgnoreCase("least")) {
        expression.path("arguments").forEach(each -> open.push(each.path("expression")));
      }
    }
    return false;
  }

  private static boolean isSmallNumber(JsonNode literal) {
    return literal.path("kind").asText().equals("INTEGER")
        && new BigInteger(literal.path("text").asText()).compareTo(MOST_COPIES) <= 0;
  }

  private void with(String name) {
    if (!name.matches("[\\p{L}\\p{N}_ ]+")) {
      throw new RefusedSqlException(
          "WITH '" + name + "' has other characters than letters, digits and _ in its name");
    }
    String folded = CheckedSql.folded(name);
    if (folded.matches("(duckdb|pg|sqlite|pragma)_.*")) {
      throw new RefusedSqlException(
          "WITH '" + name + "' is named like a table of the system; give it another name");
    }
    withNames.add(folded);
  }

  private static String joined(JsonNode path) {
    StringBuilder text = new StringBuilder();
    path.forEach(part -> text.append(text.isEmpty() ? "" : ".").append(part.asText()));
    return text.toString();
  }
}
