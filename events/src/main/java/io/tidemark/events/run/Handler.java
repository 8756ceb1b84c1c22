// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.run;

/**
 * Handler of events. It may get an event more than once, and is then idempotent by {@link
 * EventContext#idempotencyKey()}. Unless its concurrency is 1 and there is one runner, it may get
 * several events at once.
 */
@FunctionalInterface
public interface Handler {

  /**
   * Handles an event. When it returns, the emitted events are published and the event is
   * acknowledged.
   *
   * @throws Exception when it has failed: the event is retried after a backoff, until it has failed
   *     too often. With a {@link PermanentFailureException} it isn't retried
   */
  void handle(EventContext eventContext) throws Exception;
}
