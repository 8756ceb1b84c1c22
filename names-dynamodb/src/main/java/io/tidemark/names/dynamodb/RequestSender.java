// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.aws.internal.AwsClients;
import io.tidemark.aws.internal.AwsFailures.Effect;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Sender of requests. Reads are repeated until they are answered; of writes the caller decides. */
final class RequestSender {

  private static final String CONDITION_FAILED = "ConditionalCheckFailed";

  private final DynamoDbClient client;
  private final DynamoDbSettings settings;
  private final DynamoDbErrorTranslator dynamoDbErrorTranslator;
  private final Retry retry;

  /** Whether the table has answered, so that it was there. */
  private final AtomicBoolean seen;

  RequestSender(DynamoDbClient client, DynamoDbSettings settings, TableRole use, Retry retry) {
    this(client, settings, use, retry, new AtomicBoolean());
  }

  private RequestSender(
      DynamoDbClient client,
      DynamoDbSettings settings,
      TableRole use,
      Retry retry,
      AtomicBoolean seen) {
    this.client = client;
    this.settings = settings;
    this.dynamoDbErrorTranslator = new DynamoDbErrorTranslator(settings, use, seen::get);
    this.retry = retry;
    this.seen = seen;
  }

  /**
   * Returns a sender for a role of the table, whose errors name the permissions that the role
   * needs.
   */
  RequestSender with(TableRole use) {
    return new RequestSender(client, settings, use, retry, seen);
  }

  String table() {
    return settings.table();
  }

  /** Starts the time that one operation may take with all its attempts. */
  Retry.Backoff start() {
    return retry.start();
  }

  /** Returns the time in which operations wait. */
  long nanos() {
    return retry.time().nanos();
  }

  /**
   * Sends a request that changes nothing, or that may be repeated without harm.
   *
   * @param what verb and object, for messages
   */
  <T> T read(String what, Function<DynamoDbClient, T> request) {
    Retry.Backoff backoff = retry.start();
    while (true) {
      try {
        T answer = request.apply(client);
        seen.set(true);
        return answer;
      } catch (SdkException | AwsClients.NoCredentialsException | CancellationException e) {
        TidemarkException failure = dynamoDbErrorTranslator.translate(what, Effect.NONE, e);
        if (!(failure instanceof StoreUnavailableException) || !backoff.pause()) {
          throw failure;
        }
      }
    }
  }

  /** Reads one item, as it is now; empty when there is none. */
  Map<String, AttributeValue> item(String pk, String sk) {
    return read(
        "read " + sk + " of " + pk,
        c ->
            c.getItem(get -> get.tableName(table()).key(ItemCodec.key(pk, sk)).consistentRead(true))
                .item());
  }

  /** Returns all items of a record by sort key, as they are now, without the rows of commits. */
  Map<String, Map<String, AttributeValue>> items(String pk) {
    ExpressionBuilder x = new ExpressionBuilder();
    QueryRequest.Builder request =
        QueryRequest.builder()
            .tableName(table())
            .consistentRead(true)
            .keyConditionExpression(
                x.name(AttributeNames.PK)
                    + " = "
                    + x.text(pk)
                    + " AND "
                    + x.name(AttributeNames.SK)
                    + " >= "
                    + x.text(AttributeNames.FIRST_SK))
            .expressionAttributeNames(x.names())
            .expressionAttributeValues(x.values());
    Map<String, Map<String, AttributeValue>> items = new HashMap<>();
    while (true) {
      QueryResponse page = read("read " + pk, c -> c.query(request.build()));
      page.items().forEach(item -> items.put(sk(item), item));
      if (!page.hasLastEvaluatedKey()) {
        return items;
      }
      request.exclusiveStartKey(page.lastEvaluatedKey());
    }
  }

  static String sk(Map<String, AttributeValue> item) {
    return string(item, AttributeNames.SK);
  }

  static String pk(Map<String, AttributeValue> item) {
    return string(item, AttributeNames.PK);
  }

  /** Returns an attribute that is text; empty when it isn't there. */
  static String string(Map<String, AttributeValue> item, String name) {
    return Optional.ofNullable(item.get(name)).map(AttributeValue::s).orElse("");
  }

  /** Sends a change of one item. */
  WriteOutcome update(String what, UpdateItemRequest request) {
    try {
      client.updateItem(request);
      seen.set(true);
      return new WriteOutcome.Written();
    } catch (ConditionalCheckFailedException e) {
      return new WriteOutcome.ConditionFailed(e.hasItem() ? e.item() : Map.of());
    } catch (SdkException | AwsClients.NoCredentialsException | CancellationException e) {
      return failed(what, e);
    }
  }

  /** Sends a change of several items. */
  WriteOutcome transact(String what, TransactWriteItemsRequest request) {
    try {
      client.transactWriteItems(request);
      seen.set(true);
      return new WriteOutcome.Written();
    } catch (TransactionCanceledException e) {
      return cancelled(what, e);
    } catch (SdkException | AwsClients.NoCredentialsException | CancellationException e) {
      return failed(what, e);
    }
  }

  /**
   * Why a transaction was cancelled. A condition that didn't hold says more than another
   * transaction that was in the way.
   */
  private WriteOutcome cancelled(String what, TransactionCanceledException e) {
    Optional<CancellationReason> unmet = unmet(e);
    if (unmet.isPresent()) {
      return new WriteOutcome.ConditionFailed(
          unmet.get().hasItem() ? unmet.get().item() : Map.of());
    }
    String problem =
        "can't " + what + ": the transaction was cancelled because of " + describe(reasonsOf(e));
    if (isPassing(e)) {
      return new WriteOutcome.Unavailable(
          new StoreUnavailableException(problem + "; nothing was changed, try again", e));
    }
    throw dynamoDbErrorTranslator.cancelled(problem, e);
  }

  /** Returns the first condition of a transaction that didn't hold. */
  static Optional<CancellationReason> unmet(TransactionCanceledException e) {
    return e.cancellationReasons().stream()
        .filter(reason -> CONDITION_FAILED.equals(reason.code()))
        .findFirst();
  }

  private static List<CancellationReason> reasonsOf(TransactionCanceledException e) {
    return e.cancellationReasons().stream()
        .filter(reason -> reason.code() != null && !reason.code().equals("None"))
        .toList();
  }

  /** Returns whether all that stood in the way of a transaction passes. */
  static boolean isPassing(TransactionCanceledException e) {
    return !reasonsOf(e).isEmpty()
        && reasonsOf(e).stream().allMatch(r -> DynamoDbErrorTranslator.isPassing(r.code()));
  }

  private static String describe(List<CancellationReason> reasons) {
    return reasons.isEmpty()
        ? "something it doesn't tell"
        : reasons.stream()
            .map(reason -> reason.code() + " (" + reason.message() + ")")
            .distinct()
            .reduce((a, b) -> a + ", " + b)
            .orElseThrow();
  }

  private WriteOutcome failed(String what, RuntimeException e) {
    TidemarkException failure = dynamoDbErrorTranslator.translate(what, Effect.POSSIBLE, e);
    if (failure instanceof StoreUnavailableException busy) {
      return new WriteOutcome.Unavailable(busy);
    }
    if (failure instanceof OutcomeUnknownException lost) {
      return new WriteOutcome.Unknown(lost);
    }
    throw failure;
  }

  /** For what a probe of the table needs. */
  DynamoDbClient client() {
    return client;
  }

  TidemarkException failure(String what, Effect effect, RuntimeException e) {
    return dynamoDbErrorTranslator.translate(what, effect, e);
  }
}
