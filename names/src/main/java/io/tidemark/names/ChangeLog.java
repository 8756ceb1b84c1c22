// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Log of the records that moved last, published to other processes through the {@link
 * ChangeMarker}. The log is a hint: its readers look at the records themselves. Moves that a
 * process didn't log before it died are found by a {@link VersionPage}.
 *
 * @param id another one whenever a log was begun anew, so that numbers of two aren't confused
 * @param number grows with each entry
 * @param forgotten the highest number whose records aren't all listed any more
 * @param moved the addresses with the number of their last entry
 */
public record ChangeLog(String id, long number, long forgotten, Map<Address, Long> moved) {

  /** Enough for what happens between two looks at a busy store; more means to survey it. */
  static final int LONGEST = 256;

  private static final JsonMapper JSON = new JsonMapper();

  public ChangeLog {
    moved = Map.copyOf(moved);
  }

  /** A place in a log: everything up to here is known. */
  public record Position(String id, long number) {}

  /** Returns a new log, in which everything is forgotten. */
  static ChangeLog begin() {
    return new ChangeLog(UUID.randomUUID().toString(), 1, 1, Map.of());
  }

  /** Returns the position at the end of this log. */
  public Position end() {
    return new Position(id, number);
  }

  /**
   * Returns the records that moved after a position; empty when the log doesn't reach back that
   * far, so that any record may have moved.
   */
  public Optional<Set<Address>> since(Position position) {
    boolean past = position.number() <= number; // unless the log was set back, from a backup
    if (!position.id().equals(id) || position.number() < forgotten || !past) {
      return Optional.empty();
    }
    return Optional.of(
        moved.entrySet().stream()
            .filter(entry -> entry.getValue() > position.number())
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** This log with one more entry; the longest unmoved are forgotten where it would get long. */
  ChangeLog with(Collection<Address> addresses) {
    long next = number + 1;
    Map<Address, Long> all = new LinkedHashMap<>(moved);
    addresses.forEach(address -> all.put(address, next));
    long lost = forgotten;
    Map<Address, Long> kept = new LinkedHashMap<>();
    for (Map.Entry<Address, Long> entry :
        all.entrySet().stream()
            .sorted(Map.Entry.<Address, Long>comparingByValue(Comparator.reverseOrder()))
            .toList()) {
      if (kept.size() < LONGEST) {
        kept.put(entry.getKey(), entry.getValue());
      } else {
        lost = Math.max(lost, entry.getValue());
      }
    }
    return new ChangeLog(id, next, lost, kept);
  }

  /** Returns the log as text. */
  String toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", id).put("number", number).put("forgotten", forgotten);
    ObjectNode entries = json.putObject("moved");
    moved.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> entries.put(entry.getKey().toString(), entry.getValue()));
    return json.toPrettyString() + "\n";
  }

  /** Reads {@link #toJson}; empty when it is something else, and a new log has to be begun. */
  public static Optional<ChangeLog> parse(String text) {
    try {
      JsonNode json = JSON.readTree(text);
      Map<Address, Long> moved = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> entry : json.path("moved").properties()) {
        moved.put(Address.parse(entry.getKey()), entry.getValue().longValue());
      }
      String id = json.path("id").asText();
      return id.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new ChangeLog(
                  id, json.path("number").longValue(), json.path("forgotten").longValue(), moved));
    } catch (JsonProcessingException | InvalidAddressException e) {
      return Optional.empty();
    }
  }
}
