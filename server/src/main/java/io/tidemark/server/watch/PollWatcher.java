// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.http.PushSubscriber;
import java.time.Duration;
import java.util.Optional;

/**
 * A client that asks for what has moved, and waits for it only so long. It is answered with what
 * there is as soon as there is something; a snapshot is written by and by, however long it is.
 */
final class PollWatcher extends PushSubscriber implements ClientCursor.EventSink {

  /** How much longer one waits for the first look at the store than for news. */
  private static final Duration FIRST_LOOK = Duration.ofSeconds(10);

  private final WatchHub watchHub;
  private final ClientCursor clientCursor;
  private final Optional<Position> after;
  private final int atMost;
  private final long deadline;
  private OutputBuffer outputBuffer = new OutputBuffer().add("{\"events\":[");
  private int events;
  private boolean resync;
  private boolean copying;
  private boolean complete;

  /**
   * One who asks.
   *
   * @param after where it stands; empty for nowhere
   * @param wait for how long
   * @param atMost how many events an answer has; a snapshot has them all
   */
  PollWatcher(
      WatchHub watchHub,
      ClientCursor clientCursor,
      Optional<Position> after,
      Duration wait,
      int atMost) {
    super(watchHub.push(), clientCursor.view().visitor());
    this.watchHub = watchHub;
    this.clientCursor = clientCursor;
    this.after = after;
    this.atMost = atMost;
    this.deadline = System.nanoTime() + wait.toNanos();
  }

  @Override
  protected Action process() {
    if (complete) {
      return Action.SUCCEEDED;
    }
    if (revocationReason().isPresent()) {
      return endIfConsistent();
    }
    Optional<WatchHistory> history = watchHub.history();
    if (history.isPresent()) {
      clientCursor.advance(history.get(), this);
      complete |= !copying && (events > 0 || resync || isDue(System.nanoTime()));
    } else {
      watchHub.unavailableReason().ifPresent(this::unavailable);
      complete |= System.nanoTime() - deadline >= FIRST_LOOK.toNanos();
    }
    if (complete) {
      return Action.SUCCEEDED;
    }
    if (isEnding()) {
      return endIfConsistent();
    }
    if (outputBuffer.size() < OutputBuffer.CHUNK) {
      return Action.IDLE;
    }
    OutputBuffer full = outputBuffer;
    outputBuffer = new OutputBuffer();
    return write(full.take());
  }

  /** Ends with nothing more to tell, if what was told so far makes sense. */
  private Action endIfConsistent() {
    if (copying) {
      throw new IllegalStateException("half a snapshot mustn't look like a whole one");
    }
    return Action.SUCCEEDED;
  }

  @Override
  protected boolean isDue(long now) {
    return now - deadline >= 0;
  }

  private void unavailable(String why) {
    add(OutputBuffer.of(OutputBuffer.notice("trouble").put("problem", why)));
    complete = true;
  }

  @Override
  public void resync(String reason) {
    if (after.isPresent()) {
      watchHub.countResync();
    }
    resync = true;
    copying = true;
  }

  @Override
  public void snapshotRecord(byte[] json) {
    copying = true;
    add(json);
  }

  @Override
  public void ready(Position position, long records) {
    copying = false;
    resync |= !clientCursor.isFromNow();
    complete = true; // with nothing behind it, so that all of it is of one moment
  }

  @Override
  public void changed(Position position, String name, byte[] json) {
    add(json);
  }

  private void add(byte[] json) {
    outputBuffer.add(events == 0 ? "" : ",").add(json);
    events++;
  }

  @Override
  public boolean isFull() {
    return complete || (copying ? outputBuffer.size() >= OutputBuffer.CHUNK : events >= atMost);
  }

  @Override
  protected byte[] closingBytes() {
    outputBuffer.add("],\"next\":");
    Optional<Position> next = clientCursor.position().or(() -> after);
    outputBuffer.add(next.map(at -> "\"" + at + "\"").orElse("null"));
    return outputBuffer.add(",\"resync\":" + resync + "}").take();
  }
}
