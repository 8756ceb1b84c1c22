// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.server.http.Visitor;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Transactions as server-sent events, whose ids are their numbers: who comes back with the last one
 * misses nothing. It ends from time to time, since it holds a thread, and the client comes back.
 *
 * @param newcomers where they come from
 * @param shown what the caller may know of one
 */
record ChangeStream(
    Newcomers newcomers, Function<LoggedTransaction, Optional<? extends JsonNode>> shown) {

  static final String TYPE = "text/event-stream";

  private static final int AT_ONCE = 100;
  private static final Duration BEAT = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /**
   * Writes what has a number above one.
   *
   * @param ending whether to write no more
   * @param visitor who may have to go meanwhile
   */
  void write(long after, OutputStream out, BooleanSupplier ending, Visitor visitor)
      throws IOException {
    long end = System.nanoTime() + LONGEST.toNanos();
    long position = after;
    put(out, "retry: 1000\nid: " + position + "\n\n");
    while (System.nanoTime() - end < 0 && !ending.getAsBoolean()) {
      List<LoggedTransaction> found = newcomers.awaited(position, AT_ONCE, BEAT.toMillis(), ending);
      Optional<String> dismissal = visitor.dismissal();
      if (dismissal.isPresent()) {
        JsonNode why = JsonNodeFactory.instance.objectNode().put("reason", dismissal.get());
        put(out, "event: ended\ndata: %s\n\n".formatted(why));
        return;
      }
      StringBuilder text = new StringBuilder();
      for (LoggedTransaction transaction : found) {
        position = transaction.number();
        long id = position;
        shown
            .apply(transaction)
            .ifPresent(
                json -> text.append("id: %d\nevent: change\ndata: %s\n\n".formatted(id, json)));
      }
      // Also when there is nothing to tell: so it is seen that the other side is gone, and that
      // one remembers how far it is.
      put(out, text.isEmpty() ? ": nothing new\nid: " + position + "\n\n" : text.toString());
    }
  }

  /** Has the client come back later. */
  static void refuse(OutputStream out) throws IOException {
    put(out, ": too many follow the log; come back, or use the long poll\nretry: 10000\n\n");
  }

  private static void put(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(UTF_8));
    out.flush();
  }
}
