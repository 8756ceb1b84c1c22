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
 * Client of a live answer, written to by whichever thread has news. {@link #process} decides the
 * next step, on one thread at a time, and at most one write is in progress.
 */
public abstract class PushSubscriber extends IteratingCallback {

  private final PushHub hub;
  private final RevalidatingCaller revalidatingCaller;
  private @Nullable PushChannel pushChannel;
  private volatile long writingSince;
  private volatile boolean writing;
  private volatile long lastWritten = System.nanoTime();
  private volatile Optional<String> dismissal = Optional.empty();

  /** Time of the last access check; used only by the thread of the hub. */
  private long asked = System.nanoTime();

  protected PushSubscriber(PushHub hub, RevalidatingCaller revalidatingCaller) {
    this.hub = hub;
    this.revalidatingCaller = revalidatingCaller;
  }

  protected final Caller caller() {
    return revalidatingCaller.caller();
  }

  /** Joins the hub and starts to write. */
  public final void begin(PushChannel to) {
    pushChannel = to;
    hub.join(this);
    to.onDisconnect(() -> abort(new EOFException("the other side has gone")));
    iterate();
  }

  /** Returns whether this subscriber has joined its hub and not left it yet. */
  public final boolean isSubscribed() {
    return hub.has(this);
  }

  /**
   * Returns whether this subscriber must end, since the hub is closed or its access was revoked.
   */
  protected final boolean isEnding() {
    return hub.isClosed() || dismissal.isPresent();
  }

  /** Returns why the caller's access was revoked; empty while the caller still has access. */
  protected final Optional<String> revocationReason() {
    return dismissal;
  }

  /** Returns the last bytes of an answer that ends without failure. */
  protected abstract byte[] closingBytes();

  /** Returns whether this subscriber wants to be resumed without news, such as for a heartbeat. */
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

  /** Checks deadlines, the access of the caller, and whether a write is due. */
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
        .closeConnection(cause); // otherwise a write in progress would never end
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
