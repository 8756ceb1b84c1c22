// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.RevalidatingCaller;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Client of transactions as server-sent events. Event ids are the numbers of transactions, so a
 * client that reconnects with its last id misses nothing.
 */
final class ChangeStreamSubscriber extends ChangeSubscriber {

  static final String TYPE = "text/event-stream";

  private static final Duration BEAT = Duration.ofSeconds(10);

  private long told;
  private boolean greeted;

  ChangeStreamSubscriber(
      RevalidatingCaller revalidatingCaller,
      ChangeHub changeHub,
      long after,
      Function<FeatureTransaction, Optional<? extends JsonNode>> shown) {
    super(revalidatingCaller, changeHub, after, shown);
    this.told = after;
  }

  @Override
  protected Action process() {
    if (isEnded()) {
      return Action.SUCCEEDED;
    }
    StringBuilder text = new StringBuilder();
    if (!greeted) {
      greeted = true;
      text.append(openingEvent(told));
    }
    FeatureChanges page = takePending();
    boolean silent = true;
    for (FeatureTransaction transaction : page.items()) {
      Optional<? extends JsonNode> json = visiblePart(transaction);
      if (json.isPresent()) {
        silent = false;
        text.append(event(transaction.seqNumber().orElseThrow(), json.get()));
      }
    }
    boolean any = page.after() != told;
    told = page.after();
    // A heartbeat is sent even without news: it detects a disconnect, and it tells the client its
    // position.
    if (silent && (any || isDue(System.nanoTime()))) {
      text.append(heartbeat(told));
    }
    return text.isEmpty() ? Action.IDLE : write(text.toString().getBytes(UTF_8));
  }

  static boolean isAccepted(HttpRequestContext httpRequestContext) {
    return httpRequestContext.header("Accept").filter(types -> types.contains(TYPE)).isPresent();
  }

  private static String openingEvent(long number) {
    return "retry: 1000\nid: %d\n\n".formatted(number);
  }

  private static String event(long number, JsonNode transaction) {
    return "id: %d\nevent: change\ndata: %s\n\n".formatted(number, transaction);
  }

  private static String heartbeat(long number) {
    return ": nothing new\nid: %d\n\n".formatted(number);
  }

  @Override
  protected boolean isDue(long now) {
    return isIdleFor(BEAT.toNanos(), now);
  }

  @Override
  protected byte[] closingBytes() {
    return revocationReason()
        .map(why -> JsonNodeFactory.instance.objectNode().put("reason", why))
        .map(json -> "event: ended\ndata: %s\n\n".formatted(json).getBytes(UTF_8))
        .orElseGet(() -> new byte[0]);
  }
}
