// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.http.Follower;
import java.util.Optional;

/** A client of server-sent events, from its snapshot on and for as long as it likes. */
final class StreamWatcher extends Follower implements Place.Reader {

  private static final String GREETING = "retry: 2000\n\n";

  private final Hub hub;
  private final Place place;
  private Text text = new Text().add(GREETING);
  private boolean troubleTold;

  StreamWatcher(Hub hub, View view, Optional<Position> after, boolean fromNow) {
    super(hub.push(), view.visitor());
    this.hub = hub;
    this.place = new Place(view, after, fromNow);
  }

  @Override
  protected Action process() {
    if (isEnding()) {
      return Action.SUCCEEDED;
    }
    Optional<History> history = hub.history();
    if (history.isPresent()) {
      place.advance(history.get(), this);
    } else {
      hub.trouble().filter(why -> !troubleTold).ifPresent(this::trouble);
    }
    if (text.size() == 0 && isDue(System.nanoTime())) {
      beat();
    }
    if (text.size() == 0) {
      return Action.IDLE;
    }
    Text full = text;
    text = new Text();
    return write(full.taken());
  }

  @Override
  protected boolean isDue(long now) {
    return isIdleFor(hub.settings().heartbeat().toNanos(), now);
  }

  /**
   * A comment, and where the client is by now: one who has had nothing to hear for long would come
   * back with an id that isn't kept any more, and be told everything anew.
   */
  private void beat() {
    text.add(": heartbeat\n");
    place.position().ifPresent(at -> text.add("id: " + at + "\n"));
    text.add("\n");
  }

  private void trouble(String why) {
    troubleTold = true;
    event("trouble", Text.of(Text.notice("trouble").put("problem", why)));
  }

  @Override
  public void resync(String reason) {
    hub.countResync();
    event("resync", Text.of(Text.notice("resync").put("reason", reason)));
  }

  @Override
  public void standing(byte[] json) {
    event("snapshot", json);
  }

  @Override
  public void ready(Position position, long records) {
    id(position);
    event("ready", Text.of(Text.notice("ready").put("records", records)));
  }

  @Override
  public void moved(Position position, String name, byte[] json) {
    id(position);
    event(name, json);
  }

  @Override
  public boolean isFull() {
    return text.size() >= Text.CHUNK;
  }

  private void id(Position position) {
    text.add("id: " + position + "\n");
  }

  private void event(String name, byte[] json) {
    text.add("event: " + name + "\ndata: ").add(json).add("\n\n");
  }

  @Override
  protected byte[] ending() {
    dismissal().ifPresent(why -> event("ended", Text.of(Text.notice("ended").put("reason", why))));
    return text.taken();
  }
}
