// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Visitor;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Transactions as server-sent events, whose ids are their numbers: who comes back with the last one
 * misses nothing.
 */
final class ChangeStream extends ChangeFollower {

  static final String TYPE = "text/event-stream";

  private static final Duration BEAT = Duration.ofSeconds(10);

  private long told;
  private boolean greeted;

  ChangeStream(
      Visitor visitor,
      Newcomers newcomers,
      long after,
      Function<FeatureTransaction, Optional<? extends JsonNode>> shown) {
    super(visitor, newcomers, after, shown);
    this.told = after;
  }

  @Override
  protected Action process() {
    if (isOver()) {
      return Action.SUCCEEDED;
    }
    StringBuilder text = new StringBuilder();
    if (!greeted) {
      greeted = true;
      text.append(greeting(told));
    }
    FeatureChanges page = taken();
    boolean silent = true;
    for (FeatureTransaction transaction : page.items()) {
      Optional<? extends JsonNode> json = shown(transaction);
      if (json.isPresent()) {
        silent = false;
        text.append(event(transaction.seqNumber().orElseThrow(), json.get()));
      }
    }
    boolean any = page.after() != told;
    told = page.after();
    // Also when there is nothing to tell: so it is seen that the other side is gone, and that one
    // remembers how far it is.
    if (silent && (any || isDue(System.nanoTime()))) {
      text.append(nothing(told));
    }
    return text.isEmpty() ? Action.IDLE : write(text.toString().getBytes(UTF_8));
  }

  static boolean isWanted(Call call) {
    return call.header("Accept").filter(types -> types.contains(TYPE)).isPresent();
  }

  private static String greeting(long number) {
    return "retry: 1000\nid: %d\n\n".formatted(number);
  }

  private static String event(long number, JsonNode transaction) {
    return "id: %d\nevent: change\ndata: %s\n\n".formatted(number, transaction);
  }

  private static String nothing(long number) {
    return ": nothing new\nid: %d\n\n".formatted(number);
  }

  @Override
  protected boolean isDue(long now) {
    return isIdleFor(BEAT.toNanos(), now);
  }

  @Override
  protected byte[] ending() {
    return dismissal()
        .map(why -> JsonNodeFactory.instance.objectNode().put("reason", why))
        .map(json -> "event: ended\ndata: %s\n\n".formatted(json).getBytes(UTF_8))
        .orElseGet(() -> new byte[0]);
  }
}
