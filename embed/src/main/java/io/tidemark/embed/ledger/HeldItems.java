// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Streamed;
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
final class HeldItems<H, T> implements Streamed<H, T> {

  /** Resources that are held. */
  static final class Held {
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
  interface Items<T> {
    void forEach(Consumer<? super T> consumer);
  }

  /** Head of a result with the producer of its items. */
  record Opened<H, T>(H head, Items<T> items) {}

  private final Held held;
  private final Opened<H, T> opened;

  private HeldItems(Held held, Opened<H, T> opened) {
    this.held = held;
    this.opened = opened;
  }

  /** Opens a result; if that fails, nothing stays held. */
  static <H, T> HeldItems<H, T> open(Function<Held, Opened<H, T>> opening) {
    Held held = new Held();
    try {
      return new HeldItems<>(held, opening.apply(held));
    } catch (Throwable e) {
      held.close();
      throw e;
    }
  }

  @Override
  public H head() {
    return opened.head;
  }

  @Override
  public void forEach(Consumer<? super T> consumer) {
    opened.items.forEach(consumer);
  }

  @Override
  public void close() {
    held.close();
  }
}
