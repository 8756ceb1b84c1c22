// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Counts the requests of a client, and loses some of them or their answers. */
final class LossyInterceptor implements ExecutionInterceptor {

  private final List<String> requests = new ArrayList<>();
  private final AtomicInteger answersToLose = new AtomicInteger();
  private final AtomicInteger requestsToLose = new AtomicInteger();
  private volatile @Nullable Runnable afterLoss;
  private volatile Set<String> unlisted = Set.of();
  private @Nullable RandomGenerator random;
  private int lostPercent;

  /** The next writes are carried out, but their answers are lost. */
  void loseAnswers(int count) {
    answersToLose.set(count);
  }

  /** The next writes are lost on their way, in a manner that leaves open whether they were. */
  void loseRequests(int count) {
    requestsToLose.set(count);
  }

  /** From now on, of a hundred writes so many are lost, and of so many more the answer. */
  void loseAtRandom(RandomGenerator chance, int percent) {
    synchronized (this) {
      random = chance;
      lostPercent = percent;
    }
  }

  private synchronized boolean byChance() {
    return random != null && random.nextInt(100) < lostPercent;
  }

  /** What happens just after an answer was lost. */
  void afterLoss(Runnable action) {
    afterLoss = action;
  }

  /** Makes the index of kinds lag behind: it doesn't show these keys. */
  void hideFromIndex(String... pks) {
    unlisted = Set.of(pks);
  }

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    boolean ofIndex =
        context.request() instanceof QueryRequest request && request.indexName() != null;
    if (!ofIndex || !(context.response() instanceof QueryResponse answer)) {
      return context.response();
    }
    return answer.toBuilder()
        .items(
            answer.items().stream()
                .filter(item -> !unlisted.contains(RequestSender.pk(item)))
                .toList())
        .build();
  }

  /** The operations that were sent since the last reset. */
  synchronized List<String> requests() {
    return List.copyOf(requests);
  }

  synchronized void reset() {
    requests.clear();
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    String operation = operation(attributes);
    synchronized (this) {
      requests.add(operation);
    }
    if (writes(operation) && (takeOne(requestsToLose) || byChance())) {
      throw lost("lost on its way");
    }
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    if (writes(operation(attributes)) && (takeOne(answersToLose) || byChance())) {
      Runnable action = afterLoss;
      if (action != null) {
        action.run();
      }
      context.responseBody().ifPresent(LossyInterceptor::giveBack);
      throw lost("lost on its way back");
    }
  }

  /** Closes an answer nobody reads, so that its connection isn't missing later. */
  private static void giveBack(InputStream body) {
    try (body) {
      body.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the SDK reports a connection that breaks. */
  private static SdkClientException lost(String message) {
    return SdkClientException.create(message, new IOException(message + ", for a test"));
  }

  private static boolean takeOne(AtomicInteger counter) {
    return counter.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
  }

  private static boolean writes(String operation) {
    return operation.equals("UpdateItem") || operation.equals("TransactWriteItems");
  }

  private static String operation(ExecutionAttributes attributes) {
    return attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
  }
}
