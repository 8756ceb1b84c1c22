// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.http.PushSubscriber;
import java.time.Duration;
import java.util.Optional;

/**
 * Client of a long poll for changes, with a maximum wait. It is answered as soon as there are
 * events; a snapshot is written piece by piece, however long it is.
 */
final class PollWatcher extends PushSubscriber implements ClientCursor.EventSink {

  /** Additional time to wait for the first read of the store. */
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
   * Creates a client.
   *
   * @param after position of the client; empty for none
   * @param wait maximum time to wait
   * @param atMost maximum number of events in an answer; a snapshot is always complete
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

  /** Ends the answer early, unless it is within a snapshot. */
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
    complete = true; // without later events, so that all of it is as of one moment
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
