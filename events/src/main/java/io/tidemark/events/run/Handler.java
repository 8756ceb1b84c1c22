// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

/**
 * What is done with events. It may get an event more than once, and does then what it did before
 * under the same {@link EventContext#idempotencyKey()}; and, unless its concurrency is 1 and there
 * is one runner, several events at once.
 */
@FunctionalInterface
public interface Handler {

  /**
   * Handles an event. When it returns, what it has emitted is published and the event is done with.
   *
   * @throws Exception when it has failed: it gets the event again after a while, until that has
   *     happened too often. With a {@link PermanentFailureException} it doesn't get it again
   */
  void handle(EventContext eventContext) throws Exception;
}
