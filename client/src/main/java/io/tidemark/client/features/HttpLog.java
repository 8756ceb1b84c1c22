// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The transaction log of a server. */
public final class HttpLog {

  private static final String TRANSACTIONS = "transactions";
  private static final int PAGE = 1000;

  private final Connection connection;

  HttpLog(Connection connection) {
    this.connection = connection;
  }

  /** The last transactions, the newest first, at most so many. */
  public ArrayNode last(int most) {
    return all(Request.get("v1", TRANSACTIONS), most);
  }

  /** The first transactions from one on, by txn. */
  public ArrayNode from(long txn, int most) {
    return all(Request.get("v1", TRANSACTIONS).query("from", Long.toString(txn)), most);
  }

  /** Those with a sequence number from one on. */
  public ArrayNode fromNumber(long number, int most) {
    return all(Request.get("v1", TRANSACTIONS).query("seq", Long.toString(number)), most);
  }

  /** The last with a message of that id, the newest first. */
  public ArrayNode byMessage(String id, int most) {
    return all(Request.get("v1", TRANSACTIONS).query("message", id), most);
  }

  private ArrayNode all(Request request, int most) {
    ArrayNode found = JsonNodeFactory.instance.arrayNode();
    Optional<String> cursor = Optional.empty();
    do {
      Request page = request.query("limit", Integer.toString(Math.min(PAGE, most - found.size())));
      JsonNode answer =
          connection
              .send(cursor.isPresent() ? page.query("cursor", cursor.get()) : page)
              .orThrow()
              .json();
      answer.path("items").forEach(found::add);
      cursor = Optional.ofNullable(answer.path("next").textValue());
    } while (cursor.isPresent() && found.size() < most);
    return found;
  }

  /** Numbers what there is: how many were {@code numbered}, and the {@code last} number. */
  public JsonNode sequence() {
    return connection.send(Request.of("POST", "v1", TRANSACTIONS, "sequence")).orThrow().json();
  }

  /**
   * What became of a commit whose answer was lost: whether it {@code tookPlace}.
   *
   * @param transaction its id in PostgreSQL
   * @param began when it began
   */
  public JsonNode outcome(String transaction, String began) {
    return connection
        .send(
            Request.get("v1", TRANSACTIONS, "outcome")
                .query("transaction", transaction)
                .query("began", began))
        .orThrow()
        .json();
  }

  /**
   * What has a number above one, in order and each once.
   *
   * @param after negative for what comes from now on
   */
  public Feed feed(long after) {
    return new Feed(after);
  }

  /** Transactions as they come; for one thread at a time. */
  public final class Feed {
    private final Deque<JsonNode> fetched = new ArrayDeque<>();
    private long position;

    private Feed(long after) {
      this.position = after >= 0 ? after : fetch(Request.get("v1", "changes"));
    }

    private long fetch(Request request) {
      JsonNode answer = connection.send(request).orThrow().json();
      answer.path("items").forEach(fetched::add);
      return answer.path("after").asLong();
    }

    /** The next; empty when none has got its number in that time. */
    public Optional<JsonNode> next(Duration patience) {
      if (fetched.isEmpty()) {
        position =
            fetch(
                Request.get("v1", "changes")
                    .query("after", Long.toString(position))
                    .query("wait", Math.max(0, patience.toMillis()) + "ms"));
      }
      return Optional.ofNullable(fetched.poll());
    }
  }
}
