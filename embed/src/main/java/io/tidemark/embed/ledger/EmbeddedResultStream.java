// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ResultStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Streamed result that holds what it needs, such as an open ledger, until it is closed.
 *
 * @param <H> type of the head
 * @param <T> type of an item
 */
final class EmbeddedResultStream<H, T> implements ResultStream<H, T> {

  /** Resources that are held. */
  static final class Resources {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    <R extends AutoCloseable> R add(R one) {
      all.push(one);
      return one;
    }

    /** Closes the resource that was added last first, and all of them whatever fails. */
    private void close() {
      RuntimeException first = null;
      for (AutoCloseable each : all) {
        try {
          each.close();
        } catch (Throwable e) { // whatever it is, the others are closed
          first = first == null ? new IllegalStateException(e) : first;
        }
      }
      all.clear();
      if (first != null) {
        throw first;
      }
    }
  }

  /** Producer of items. */
  @FunctionalInterface
  interface ItemProducer<T> {
    void forEach(Consumer<? super T> consumer);
  }

  /** Head of a result with the producer of its items. */
  record HeaderAndItems<H, T>(H head, ItemProducer<T> items) {}

  private final Resources resources;
  private final HeaderAndItems<H, T> headerAndItems;

  private EmbeddedResultStream(Resources resources, HeaderAndItems<H, T> headerAndItems) {
    this.resources = resources;
    this.headerAndItems = headerAndItems;
  }

  /** Opens a result; if that fails, nothing stays held. */
  static <H, T> EmbeddedResultStream<H, T> open(Function<Resources, HeaderAndItems<H, T>> opening) {
    Resources resources = new Resources();
    try {
      return new EmbeddedResultStream<>(resources, opening.apply(resources));
    } catch (Throwable e) {
      resources.close();
      throw e;
    }
  }

  @Override
  public H header() {
    return headerAndItems.head;
  }

  @Override
  public void forEach(Consumer<? super T> consumer) {
    headerAndItems.items.forEach(consumer);
  }

  @Override
  public void close() {
    resources.close();
  }
}
