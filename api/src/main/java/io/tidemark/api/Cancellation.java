// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api;

import io.tidemark.objects.TidemarkException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Signal by which another thread ends an operation that is under way, such as after a time limit or
 * when the caller has gone away. One may serve several operations; it can't be reset.
 */
public final class Cancellation {

  private final Set<Consumer<TidemarkException>> listeners = ConcurrentHashMap.newKeySet();
  private volatile Optional<TidemarkException> reason = Optional.empty();

  /** Registration of a listener; closing it removes the listener. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** Ends operations under way, and later ones, with this exception. Later calls have no effect. */
  public void cancel(TidemarkException why) {
    synchronized (this) {
      if (reason.isPresent()) {
        return;
      }
      reason = Optional.of(why);
    }
    listeners.forEach(listener -> listener.accept(why));
  }

  /**
   * Calls the listener when operations are to end, at once if that has happened. It is called by
   * the cancelling thread and must not wait; it may be called twice.
   */
  public Registration onCancel(Consumer<TidemarkException> listener) {
    listeners.add(listener);
    reason.ifPresent(listener);
    return () -> listeners.remove(listener);
  }

  /** Returns the exception that operations were ended with; empty if they weren't. */
  public Optional<TidemarkException> reason() {
    return reason;
  }

  /** Throws the exception that operations were ended with, if they were. */
  public void check() {
    if (reason.isPresent()) {
      throw reason.get();
    }
  }
}
