// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.Caller;
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
public abstract class PushSubscriber extends IteratingCallback {

  private final PushHub hub;
  private final RevalidatingCaller revalidatingCaller;
  private @Nullable PushChannel pushChannel;
  private volatile long writingSince;
  private volatile boolean writing;
  private volatile long lastWritten = System.nanoTime();
  private volatile Optional<String> dismissal = Optional.empty();

  /** When the gate was last asked; known only to the thread that looks at time. */
  private long asked = System.nanoTime();

  protected PushSubscriber(PushHub hub, RevalidatingCaller revalidatingCaller) {
    this.hub = hub;
    this.revalidatingCaller = revalidatingCaller;
  }

  protected final Caller caller() {
    return revalidatingCaller.caller();
  }

  /** Begins to write. */
  public final void begin(PushChannel to) {
    pushChannel = to;
    hub.join(this);
    to.onDisconnect(() -> abort(new EOFException("the other side has gone")));
    iterate();
  }

  /** Returns whether it has joined its hub and not left it yet. */
  public final boolean isSubscribed() {
    return hub.has(this);
  }

  /** Returns whether it has to end, since the hub is closed or its caller may not go on. */
  protected final boolean isEnding() {
    return hub.isClosed() || dismissal.isPresent();
  }

  /** Why it has to end, because of whose it is; empty while it may go on. */
  protected final Optional<String> revocationReason() {
    return dismissal;
  }

  /** The last to be written when it has ended well. */
  protected abstract byte[] closingBytes();

  /** Returns whether it wants to be asked what to do, though nothing has happened. */
  protected abstract boolean isDue(long now);

  protected final boolean isIdleFor(long nanos, long now) {
    return now - lastWritten >= nanos;
  }

  protected final Action write(byte[] text) {
    writingSince = System.nanoTime();
    writing = true;
    Objects.requireNonNull(pushChannel).write(ByteBuffer.wrap(text), this);
    return Action.SCHEDULED;
  }

  /** Does what time alone calls for. */
  final void tick(long now) {
    if (now - asked >= hub.settings().recheck().toNanos()) {
      asked = now;
      hub.revalidate(this::revalidate);
    }
    if (writing) {
      if (now - writingSince >= hub.settings().patience().toNanos()) {
        abort(new TimeoutException("what is written isn't taken"));
      }
    } else if (isDue(now)) {
      iterate();
    }
  }

  private void revalidate() {
    dismissal = revalidatingCaller.revocationReason();
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
    Objects.requireNonNull(pushChannel)
        .closeConnection(cause); // or a write that is under way would never end
  }

  @Override
  protected final void onCompleted(@Nullable Throwable cause) {
    hub.leave(this);
    PushChannel to = Objects.requireNonNull(pushChannel);
    if (cause == null) {
      to.end(ByteBuffer.wrap(closingBytes()));
    } else {
      to.fail(cause);
    }
  }
}
