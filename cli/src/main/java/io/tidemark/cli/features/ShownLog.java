// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.terminal.Plain;
import io.tidemark.cli.terminal.Table;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.Signal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Transactions of the log as people and programs see them. */
final class ShownLog {

  private ShownLog() {}

  static ObjectNode json(LoggedTransaction transaction) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("txn", transaction.txn().value());
    LoggedTransaction.@Nullable Numbered numbered = transaction.numbered();
    json.put("seq_number", numbered == null ? null : numbered.number());
    json.put("seq_ts", numbered == null ? null : numbered.at().toString());
    json.put("ts", transaction.ts().toString());
    json.put("app_id", transaction.appId()).put("author", transaction.author());
    json.put("psql_id", transaction.psqlId());
    ArrayNode signals = json.putArray("signals");
    for (Signal signal : transaction.signals()) {
      ObjectNode one = signals.addObject().put("action", signal.action()).put("id", signal.id());
      if (signal instanceof Signal.Message message) {
        one.put("msg_text", message.text());
        one.set("msg_json", parsed(message.json()));
        one.put(
            "msg_attachment",
            message.attachment() == null
                ? null
                : Base64.getEncoder().encodeToString(message.attachment().bytes()));
      }
    }
    return json;
  }

  private static JsonNode parsed(@Nullable String json) {
    // Any JSON may be there, and only objects are read; so it is made the member of one.
    return json == null
        ? JsonNodeFactory.instance.nullNode()
        : GeoJson.object("{\"it\":" + json + "}").path("it");
  }

  static String table(List<LoggedTransaction> transactions) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("NUMBER", "TXN", "TIME", "AUTHOR", "APP", "WHAT"));
    transactions.forEach(transaction -> lines.add(cells(transaction)));
    return Table.aligned(lines);
  }

  /** One line, for whoever follows the log. */
  static String line(LoggedTransaction transaction) {
    return Plain.line(String.join("  ", cells(transaction)));
  }

  private static List<String> cells(LoggedTransaction transaction) {
    return List.of(
        transaction.numbered() == null ? "-" : Long.toString(transaction.number()),
        transaction.txn().toString(),
        transaction.ts().toString(),
        transaction.author() == null ? "-" : transaction.author(),
        transaction.appId(),
        transaction.signals().stream().map(ShownLog::words).collect(Collectors.joining(", ")));
  }

  private static String words(Signal signal) {
    if (signal instanceof Signal.Message message) {
      return "message " + signal.id() + (message.text() == null ? "" : "=" + message.text());
    }
    return (signal instanceof Signal.ModifyFeatures ? "features of " : "collection ") + signal.id();
  }
}
