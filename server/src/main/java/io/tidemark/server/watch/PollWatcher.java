// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.http.Follower;
import java.time.Duration;
import java.util.Optional;

/**
 * A client that asks for what has moved, and waits for it only so long. It is answered with what
 * there is as soon as there is something; a snapshot is written by and by, however long it is.
 */
final class PollWatcher extends Follower implements Place.Reader {

  /** How much longer one waits for the first look at the store than for news. */
  private static final Duration FIRST_LOOK = Duration.ofSeconds(10);

  private final Hub hub;
  private final Place place;
  private final Optional<Position> after;
  private final int atMost;
  private final long deadline;
  private Text text = new Text().add("{\"events\":[");
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
  PollWatcher(Hub hub, Place place, Optional<Position> after, Duration wait, int atMost) {
    super(hub.push(), place.view().visitor());
    this.hub = hub;
    this.place = place;
    this.after = after;
    this.atMost = atMost;
    this.deadline = System.nanoTime() + wait.toNanos();
  }

  @Override
  protected Action process() {
    if (complete) {
      return Action.SUCCEEDED;
    }
    if (dismissal().isPresent()) {
      return leave();
    }
    Optional<History> history = hub.history();
    if (history.isPresent()) {
      place.advance(history.get(), this);
      complete |= !copying && (events > 0 || resync || isDue(System.nanoTime()));
    } else {
      hub.trouble().ifPresent(this::trouble);
      complete |= System.nanoTime() - deadline >= FIRST_LOOK.toNanos();
    }
    if (complete) {
      return Action.SUCCEEDED;
    }
    if (isEnding()) {
      return leave();
    }
    if (text.size() < Text.CHUNK) {
      return Action.IDLE;
    }
    Text full = text;
    text = new Text();
    return write(full.taken());
  }

  /** Ends with nothing more to tell, if what was told so far makes sense. */
  private Action leave() {
    if (copying) {
      throw new IllegalStateException("half a snapshot mustn't look like a whole one");
    }
    return Action.SUCCEEDED;
  }

  @Override
  protected boolean isDue(long now) {
    return now - deadline >= 0;
  }

  private void trouble(String why) {
    add(Text.of(Text.notice("trouble").put("problem", why)));
    complete = true;
  }

  @Override
  public void resync(String reason) {
    if (after.isPresent()) {
      hub.countResync();
    }
    resync = true;
    copying = true;
  }

  @Override
  public void standing(byte[] json) {
    copying = true;
    add(json);
  }

  @Override
  public void ready(Position position, long records) {
    copying = false;
    resync |= !place.isFromNow();
    complete = true; // with nothing behind it, so that all of it is of one moment
  }

  @Override
  public void moved(Position position, String name, byte[] json) {
    add(json);
  }

  private void add(byte[] json) {
    text.add(events == 0 ? "" : ",").add(json);
    events++;
  }

  @Override
  public boolean isFull() {
    return complete || (copying ? text.size() >= Text.CHUNK : events >= atMost);
  }

  @Override
  protected byte[] ending() {
    text.add("],\"next\":");
    Optional<Position> next = place.position().or(() -> after);
    text.add(next.map(at -> "\"" + at + "\"").orElse("null"));
    return text.add(",\"resync\":" + resync + "}").taken();
  }
}
