// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.names.view.LockJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Status of a store: names with their heads, index lag, lock holders and waiting events.
 *
 * @param location location of the names
 * @param names names up to the limit
 * @param more whether there are further names
 * @param events state of the event bus
 */
public record StoreStatus(
    String location, List<NameStatus> names, boolean more, EventBusStatus events) {

  public StoreStatus {
    names = List.copyOf(names);
  }

  /** Record with its locks by purpose. */
  public record NameStatus(NameRecord record, Map<Purpose, Lock> locks) {

    public NameStatus {
      locks = Collections.unmodifiableMap(new TreeMap<>(locks));
    }

    public String state() {
      return record.meta().retracted()
          ? "retracted"
          : record.status().payload().flatMap(p -> p.string("state")).orElse("?");
    }
  }

  /**
   * Reads the status of a store.
   *
   * @param limit maximum number of names
   * @param events state of the event bus
   */
  public static StoreStatus of(NameService names, int limit, EventBusStatus events) {
    List<NameStatus> found = new ArrayList<>();
    try (Stream<NameRecord> records = names.list(RecordFilter.all().atMost(limit + 1L))) {
      records.forEach(record -> found.add(new NameStatus(record, locks(record))));
    }
    boolean more = found.size() > limit;
    return new StoreStatus(names.location(), more ? found.subList(0, limit) : found, more, events);
  }

  private static Map<Purpose, Lock> locks(NameRecord record) {
    return record.meta().retracted()
        ? Map.of()
        : SoftLocks.locksHeldAt(record.status(), Instant.now());
  }

  /** Returns the status as JSON, with that of features if there are any. */
  public ObjectNode json(Optional<FeatureStatus> features) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("data", location);
    ArrayNode list = json.putArray("names");
    for (NameStatus each : names) {
      ObjectNode one =
          list.addObject()
              .put("address", each.record().address().toString())
              .put("kind", each.record().meta().kind().text())
              .put("state", each.state())
              .put("head", each.record().commit().t());
      each.record()
          .indexLag()
          .ifPresentOrElse(lag -> one.put("lag", lag), () -> one.putNull("lag"));
      ArrayNode locks = one.putArray("locks");
      each.locks()
          .forEach(
              (purpose, lock) ->
                  locks.add(
                      LockJson.of("locked", Optional.of(lock)).put("purpose", purpose.text())));
    }
    json.put("more", more);
    events.addTo(json);
    json.set("features", features.<JsonNode>map(FeatureStatus::json).orElse(NullNode.instance));
    return json;
  }
}
