// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.terminal;

import java.util.List;

/** Text in columns, with one line for each row. */
public final class Table {

  private static final String GAP = "  ";

  private Table() {}

  /**
   * Aligns the rows: each cell is as wide as the widest of its column, the last one isn't padded.
   */
  public static String aligned(List<List<String>> table) {
    List<List<String>> rows =
        table.stream().map(row -> row.stream().map(Table::cell).toList()).toList();
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      text.append(text.isEmpty() ? "" : System.lineSeparator());
      for (int i = 0; i < row.size(); i++) {
        boolean last = i == row.size() - 1;
        text.append(row.get(i));
        text.append(last ? "" : " ".repeat(widths[i] - row.get(i).length()) + GAP);
      }
    }
    return text.toString();
  }

  private static String cell(String text) {
    return TerminalEscaping.escapeLine(text).replace("\t", "\\t");
  }
}
