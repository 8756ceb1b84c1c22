// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.server.http.RevalidatingCaller;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Client of a long poll for the next transactions, with a maximum wait. */
final class ChangePollSubscriber extends ChangeSubscriber {

  private final int most;
  private final long deadline;
  private FeatureChanges found;

  /**
   * Creates a client.
   *
   * @param most maximum number of transactions in the answer
   * @param wait maximum time to wait
   */
  ChangePollSubscriber(
      RevalidatingCaller revalidatingCaller,
      ChangeHub changeHub,
      long after,
      int most,
      Duration wait,
      Function<FeatureTransaction, Optional<? extends JsonNode>> shown) {
    super(revalidatingCaller, changeHub, after, shown);
    this.found = new FeatureChanges(List.of(), after);
    this.most = most;
    this.deadline = System.nanoTime() + wait.toNanos();
  }

  @Override
  protected Action process() {
    found = beginning(takePending());
    return found.items().isEmpty() && !isEnded() && !isDue(System.nanoTime())
        ? Action.IDLE
        : Action.SUCCEEDED;
  }

  private FeatureChanges beginning(FeatureChanges page) {
    if (page.items().size() <= most) {
      return page;
    }
    List<FeatureTransaction> items = page.items().subList(0, most);
    return new FeatureChanges(items, items.get(most - 1).seqNumber().orElseThrow());
  }

  @Override
  protected boolean isDue(long now) {
    return now - deadline >= 0;
  }

  @Override
  protected byte[] closingBytes() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    found.items().forEach(transaction -> visiblePart(transaction).ifPresent(items::add));
    json.put("after", found.after());
    return json.toString().getBytes(UTF_8);
  }
}
