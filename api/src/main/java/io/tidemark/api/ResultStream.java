// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api;

import java.util.function.Consumer;

/**
 * Result that is too long to be held in memory: a head, known at once, and items that are produced
 * while they are consumed. The caller closes it. For one thread.
 *
 * @param <H> type of the head
 * @param <T> type of an item
 */
public interface ResultStream<H, T> extends AutoCloseable {

  /** Returns all that precedes the items. */
  H header();

  /**
   * Passes every item to the consumer, in order; to be called once. Items that were passed before a
   * failure aren't the whole result. An exception of the consumer ends it.
   */
  void forEach(Consumer<? super T> consumer);

  @Override
  void close();
}
