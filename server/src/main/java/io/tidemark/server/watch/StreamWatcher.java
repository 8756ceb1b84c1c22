// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.http.PushSubscriber;
import java.util.Optional;

/** Client of changes as server-sent events, from a snapshot on and without an end. */
final class StreamWatcher extends PushSubscriber implements ClientCursor.EventSink {

  private static final String GREETING = "retry: 2000\n\n";

  private final WatchHub watchHub;
  private final ClientCursor clientCursor;
  private OutputBuffer outputBuffer = new OutputBuffer().add(GREETING);
  private boolean troubleTold;

  StreamWatcher(WatchHub watchHub, WatchView watchView, Optional<Position> after, boolean fromNow) {
    super(watchHub.push(), watchView.visitor());
    this.watchHub = watchHub;
    this.clientCursor = new ClientCursor(watchView, after, fromNow);
  }

  @Override
  protected Action process() {
    if (isEnding()) {
      return Action.SUCCEEDED;
    }
    Optional<WatchHistory> history = watchHub.history();
    if (history.isPresent()) {
      clientCursor.advance(history.get(), this);
    } else {
      watchHub.unavailableReason().filter(why -> !troubleTold).ifPresent(this::unavailable);
    }
    if (outputBuffer.size() == 0 && isDue(System.nanoTime())) {
      heartbeat();
    }
    if (outputBuffer.size() == 0) {
      return Action.IDLE;
    }
    OutputBuffer full = outputBuffer;
    outputBuffer = new OutputBuffer();
    return write(full.take());
  }

  @Override
  protected boolean isDue(long now) {
    return isIdleFor(watchHub.settings().heartbeat().toNanos(), now);
  }

  /**
   * Writes a comment with the current position. A client that received no events for long would
   * otherwise come back with an id that is no longer retained, and get a new snapshot.
   */
  private void heartbeat() {
    outputBuffer.add(": heartbeat\n");
    clientCursor.position().ifPresent(at -> outputBuffer.add("id: " + at + "\n"));
    outputBuffer.add("\n");
  }

  private void unavailable(String why) {
    troubleTold = true;
    event("trouble", OutputBuffer.of(OutputBuffer.notice("trouble").put("problem", why)));
  }

  @Override
  public void resync(String reason) {
    watchHub.countResync();
    event("resync", OutputBuffer.of(OutputBuffer.notice("resync").put("reason", reason)));
  }

  @Override
  public void snapshotRecord(byte[] json) {
    event("snapshot", json);
  }

  @Override
  public void ready(Position position, long records) {
    id(position);
    event("ready", OutputBuffer.of(OutputBuffer.notice("ready").put("records", records)));
  }

  @Override
  public void changed(Position position, String name, byte[] json) {
    id(position);
    event(name, json);
  }

  @Override
  public boolean isFull() {
    return outputBuffer.size() >= OutputBuffer.CHUNK;
  }

  private void id(Position position) {
    outputBuffer.add("id: " + position + "\n");
  }

  private void event(String name, byte[] json) {
    outputBuffer.add("event: " + name + "\ndata: ").add(json).add("\n\n");
  }

  @Override
  protected byte[] closingBytes() {
    revocationReason()
        .ifPresent(
            why ->
                event("ended", OutputBuffer.of(OutputBuffer.notice("ended").put("reason", why))));
    return outputBuffer.take();
  }
}
