// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.log.Signal;
import io.tidemark.features.log.TransactionLog;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Transactions of the log. */
public final class TransactionJson {

  private TransactionJson() {}

  public static ArrayNode of(List<LoggedTransaction> transactions) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    transactions.forEach(transaction -> json.add(of(transaction)));
    return json;
  }

  public static ObjectNode of(LoggedTransaction transaction) {
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

  /** Numbers what there is: {@code {"numbered": …, "last": …}}. */
  public static ObjectNode numbered(TransactionLog log) {
    long numbered = log.sequence();
    return JsonNodeFactory.instance
        .objectNode()
        .put("numbered", numbered)
        .put("last", log.lastNumber());
  }

  private static JsonNode parsed(@Nullable String json) {
    // Any JSON may be there, and only objects are read; so it is made the member of one.
    return json == null
        ? JsonNodeFactory.instance.nullNode()
        : GeoJson.object("{\"it\":" + json + "}").path("it");
  }
}
