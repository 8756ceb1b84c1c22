// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Transactions of the log as people see them; programs get what {@link
 * io.tidemark.features.view.TransactionJson} has.
 */
final class ShownLog {

  private ShownLog() {}

  static String table(JsonNode transactions) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("NUMBER", "TXN", "TIME", "AUTHOR", "APP", "WHAT"));
    transactions.forEach(transaction -> lines.add(cells(transaction)));
    return Table.aligned(lines);
  }

  /** One line, for whoever follows the log. */
  static String line(JsonNode transaction) {
    return Plain.line(String.join("  ", cells(transaction)));
  }

  private static List<String> cells(JsonNode transaction) {
    return List.of(
        transaction.path("seq_number").asText("-"),
        transaction.path("txn").asText(),
        transaction.path("ts").asText(),
        transaction.path("author").asText("-"),
        transaction.path("app_id").asText(),
        StreamSupport.stream(transaction.path("signals").spliterator(), false)
            .map(ShownLog::words)
            .collect(Collectors.joining(", ")));
  }

  private static String words(JsonNode signal) {
    String id = signal.path("id").asText();
    return switch (signal.path("action").asText()) {
      case "MESSAGE" -> "message " + id + (signal.hasNonNull("msg_text") ? "=" + text(signal) : "");
      case "MODIFY_FEATURES" -> "features of " + id;
      default -> "collection " + id;
    };
  }

  private static String text(JsonNode message) {
    return message.path("msg_text").asText();
  }
}
