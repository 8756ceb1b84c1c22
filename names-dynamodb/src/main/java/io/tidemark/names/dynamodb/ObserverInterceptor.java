// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.aws.internal.AwsFailures.Effect;
import io.tidemark.names.NameRequestObserver;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.RequestObserver.Result;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Interceptor that reports every request of a client to an observer; each call is one request. */
final class ObserverInterceptor implements ExecutionInterceptor {

  private static final ExecutionAttribute<Long> BEGUN = new ExecutionAttribute<>("TidemarkBegun");

  private static final Set<String> READING =
      Set.of("GetItem", "BatchGetItem", "Query", "Scan", "DescribeTable");

  private final List<NameRequestObserver> observers = new CopyOnWriteArrayList<>();
  private final DynamoDbErrorTranslator dynamoDbErrorTranslator;

  ObserverInterceptor(DynamoDbSettings settings) {
    this.dynamoDbErrorTranslator =
        new DynamoDbErrorTranslator(settings, TableRole.READ_AND_WRITTEN, () -> false);
  }

  Runnable add(NameRequestObserver observer) {
    observers.add(observer);
    return () -> observers.remove(observer);
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    attributes.putAttribute(BEGUN, System.nanoTime());
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    boolean absent = context.response() instanceof GetItemResponse item && !item.hasItem();
    tell(attributes, absent ? Result.ABSENT : Result.OK);
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    if (!observers.isEmpty()) {
      tell(attributes, result(context.exception(), operation(attributes)));
    }
  }

  private Result result(Throwable e, String operation) {
    if (e instanceof ConditionalCheckFailedException) {
      return Result.LOST;
    }
    if (e instanceof TransactionCanceledException cancelled) {
      return result(cancelled);
    }
    if (!(e instanceof SdkException known)) {
      return Result.FAILED;
    }
    Effect effect = READING.contains(operation) ? Effect.NONE : Effect.POSSIBLE;
    TidemarkException failure = dynamoDbErrorTranslator.translate(operation, effect, known);
    if (failure instanceof StoreUnavailableException) {
      return Result.UNAVAILABLE;
    }
    return failure instanceof OutcomeUnknownException ? Result.UNKNOWN : Result.FAILED;
  }

  private static Result result(TransactionCanceledException e) {
    if (RequestSender.unmet(e).isPresent()) {
      return Result.LOST;
    }
    return RequestSender.isPassing(e) ? Result.UNAVAILABLE : Result.FAILED;
  }

  private static String operation(ExecutionAttributes attributes) {
    return String.valueOf(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME));
  }

  private void tell(ExecutionAttributes attributes, Result result) {
    Long begun = attributes.getAttribute(BEGUN);
    long nanos = begun == null ? 0 : System.nanoTime() - begun;
    for (NameRequestObserver observer : observers) {
      observer.onRequest(operation(attributes), result, nanos);
    }
  }
}
