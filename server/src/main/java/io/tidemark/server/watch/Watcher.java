// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.http.Outlet;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * A client that is written to whenever there is something to write, by whichever thread says so:
 * what it does next is decided in {@link #process}, by one thread at a time, and one write at most
 * is under way.
 */
abstract class Watcher extends IteratingCallback {

  /** About so much is written at once. */
  static final int CHUNK = 32 << 10;

  private final Hub hub;
  private final View view;
  private @Nullable Outlet outlet;
  private volatile long writingSince;
  private volatile boolean writing;
  private volatile long lastWritten = System.nanoTime();
  private volatile Optional<String> dismissal = Optional.empty();

  /** When the gate was last asked; known to the thread of the hub only. */
  private long asked = System.nanoTime();

  Watcher(Hub hub, View view) {
    this.hub = hub;
    this.view = view;
  }

  final Hub hub() {
    return hub;
  }

  final View view() {
    return view;
  }

  /** Begins to write. */
  final void begin(Outlet to) {
    outlet = to;
    hub.join(this);
    to.whenGone(() -> abort(new EOFException("the watcher has gone")));
    iterate();
  }

  /** Why it has to end, because of whose it is; empty while it may go on. */
  final Optional<String> dismissal() {
    return dismissal;
  }

  /** The last to be written when it has ended well. */
  abstract byte[] ending();

  /** Whether it wants to be asked what to do, though nothing has moved. */
  abstract boolean isDue(long now);

  final boolean isIdleFor(long nanos, long now) {
    return now - lastWritten >= nanos;
  }

  final Action write(Text text) {
    writingSince = System.nanoTime();
    writing = true;
    Objects.requireNonNull(outlet).write(ByteBuffer.wrap(text.taken()), this);
    return Action.SCHEDULED;
  }

  /** Does what time alone calls for. */
  final void tick(long now, long patienceNanos) {
    if (now - asked >= hub.settings().recheck().toNanos()) {
      asked = now;
      hub.elsewhere(this::askAgain);
    }
    if (writing) {
      if (now - writingSince >= patienceNanos) {
        abort(new TimeoutException("the watcher doesn't read what is written to it"));
      }
    } else if (isDue(now)) {
      iterate();
    }
  }

  private void askAgain() {
    dismissal = view.visitor().dismissal();
    if (dismissal.isPresent()) {
      iterate();
    }
  }

  @Override
  protected final void onSuccess() {
    writing = false;
    lastWritten = System.nanoTime();
  }

  @Override
  protected final void onAborted(Throwable cause) {
    Objects.requireNonNull(outlet).cut(cause); // or a write that is under way would never end
  }

  @Override
  protected final void onCompleted(@Nullable Throwable cause) {
    hub.leave(this);
    Outlet to = Objects.requireNonNull(outlet);
    if (cause == null) {
      to.end(ByteBuffer.wrap(ending()));
    } else {
      to.breakOff(cause);
    }
  }
}
