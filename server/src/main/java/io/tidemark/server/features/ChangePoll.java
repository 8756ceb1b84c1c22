// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.server.http.Visitor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Somebody who asks for the next transactions, and waits for them only so long. */
final class ChangePoll extends ChangeFollower {

  private final long after;
  private final int most;
  private final long deadline;
  private List<LoggedTransaction> found = List.of();

  /**
   * One who asks.
   *
   * @param most how many transactions an answer has
   * @param wait for how long
   */
  ChangePoll(
      Visitor visitor,
      Newcomers newcomers,
      long after,
      int most,
      Duration wait,
      Function<LoggedTransaction, Optional<? extends JsonNode>> shown) {
    super(visitor, newcomers, after, shown);
    this.after = after;
    this.most = most;
    this.deadline = System.nanoTime() + wait.toNanos();
  }

  @Override
  protected Action process() {
    List<LoggedTransaction> page = taken();
    found = page.subList(0, Math.min(most, page.size()));
    return found.isEmpty() && !isOver() && !isDue(System.nanoTime())
        ? Action.IDLE
        : Action.SUCCEEDED;
  }

  @Override
  protected boolean isDue(long now) {
    return now - deadline >= 0;
  }

  @Override
  protected byte[] ending() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    found.forEach(transaction -> shown(transaction).ifPresent(items::add));
    json.put("after", found.isEmpty() ? after : found.get(found.size() - 1).number());
    return json.toString().getBytes(UTF_8);
  }
}
