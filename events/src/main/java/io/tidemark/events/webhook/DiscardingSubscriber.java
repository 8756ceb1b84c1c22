// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * Subscriber that reads a response to its end, so that the connection can be reused, or cancels it.
 */
final class DiscardingSubscriber implements BodySubscriber<Boolean> {
  private final CompletableFuture<Boolean> whole = new CompletableFuture<>();
  private long left;
  private @Nullable Subscription subscription; // null until subscribed

  private DiscardingSubscriber(int most) {
    this.left = most;
  }

  /** Returns a handler that yields whether the response was no longer than that. */
  static BodyHandler<Boolean> ofAtMost(int bytes) {
    return response -> new DiscardingSubscriber(bytes);
  }

  @Override
  public CompletionStage<Boolean> getBody() {
    return whole;
  }

  @Override
  public void onSubscribe(Subscription begun) {
    subscription = begun;
    begun.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    left -= buffers.stream().mapToLong(ByteBuffer::remaining).sum();
    if (left < 0 && subscription != null) {
      subscription.cancel();
      whole.complete(false);
    }
  }

  @Override
  public void onError(Throwable error) {
    whole.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    whole.complete(true);
  }
}
