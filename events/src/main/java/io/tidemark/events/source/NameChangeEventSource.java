// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.NewEvent;
import io.tidemark.names.InvalidAddressException;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.watch.NameEvent;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.Watch;
import io.tidemark.names.watch.WatchCheckpoint;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Source of events for changes in a nameservice; see {@link NameEventMapper} for their types. The
 * guarantees of a {@link Watch} hold for them: when a record changes more often than it is polled,
 * only its last state is published, with the state that was published before.
 *
 * <p>The id of an event is derived from the source's name, the record, the concern and its
 * watermark, so any number of followers of the same name publish one event. The object {@code
 * sources/NAMESPACE/NAME.json} of the bus holds their position for each record; its size grows with
 * the number of records that match the filter.
 */
public final class NameChangeEventSource implements EventSource {

  private static final Logger LOG = LoggerFactory.getLogger(NameChangeEventSource.class);
  private static final String CURSOR = "cursor";
  private static final String TYPES = "names.";

  private final Namespace namespace;
  private final NameFeed feed;
  private final WatchFilter filter;
  private final StartPosition startPosition;
  private final NameEventMapper news;
  private final PositionStore position;
  private Optional<Watch> watching = Optional.empty();

  /**
   * Follows a nameservice from the stored position of its followers of this name.
   *
   * @param feed feed of the nameservice; the caller closes it, after this
   * @param source name and filter of the followed records
   * @param startPosition where to begin when no follower has stored a position: {@link
   *     StartPosition#OLDEST} publishes every record as one that appeared
   */
  public NameChangeEventSource(
      EventBus bus,
      Namespace namespace,
      NameFeed feed,
      FollowedNames source,
      StartPosition startPosition) {
    this.namespace = namespace;
    this.feed = feed;
    this.filter = source.filter();
    this.startPosition = startPosition;
    this.news = new NameEventMapper(source.name());
    this.position = PositionStore.forSource(bus, namespace, "names." + source.name());
  }

  /**
   * Followed records of a nameservice.
   *
   * @param name name of the nameservice in the events
   * @param filter filter of the records
   */
  public record FollowedNames(String name, WatchFilter filter) {}

  /** Returns whether events of a type are changes of names. */
  public static boolean publishes(String type) {
    return type.startsWith(TYPES);
  }

  @Override
  public int poll() {
    return poll(Duration.ZERO);
  }

  /**
   * Publishes new changes, and waits for some if there are none.
   *
   * @param atMost maximum wait; an interrupt ends it
   */
  public synchronized int poll(Duration atMost) {
    try {
      return publishPending(watch(), atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    } catch (RuntimeException | Error e) {
      close(); // the watch has returned unpublished changes; the next starts at the stored position
      throw e;
    }
  }

  private Watch watch() {
    if (watching.isEmpty()) {
      Optional<ObjectNode> found = position.read();
      if (found.isEmpty() && startPosition == StartPosition.NEWEST) {
        watching = Optional.of(feed.watchFromNow(filter));
        save(watching.get());
      } else {
        watching = Optional.of(feed.watch(filter, cursor(found)));
      }
    }
    return watching.get();
  }

  private static WatchCheckpoint cursor(Optional<ObjectNode> position) {
    try {
      return position.isEmpty()
          ? WatchCheckpoint.none()
          : WatchCheckpoint.parse(CanonicalJson.write(position.get().path(CURSOR)));
    } catch (InvalidPayloadException | InvalidAddressException | IllegalArgumentException e) {
      LOG.warn("it isn't known any more what was told of names; all is told: {}", e.getMessage());
      return WatchCheckpoint.none();
    }
  }

  private int publishPending(Watch watch, Duration atMost) throws InterruptedException {
    int told = 0;
    Optional<NameEvent> next = watch.next(atMost);
    while (next.isPresent()) {
      for (NewEvent event : news.eventsOf(next.get())) {
        SourcePublisher.publish(namespace, event);
        told++;
      }
      next = watch.next(Duration.ZERO);
    }
    if (told > 0) {
      save(watch);
    }
    return told;
  }

  /** Stores the position. The last write of several followers wins, as each of them is true. */
  private void save(Watch watch) {
    ObjectNode json = CanonicalJson.object();
    json.set(CURSOR, NameEventMapper.tree(watch.cursor().toJson()));
    Optional<ObjectNode> unused = position.write(json, theirs -> false);
  }

  @Override
  public synchronized void close() {
    watching.ifPresent(Watch::close);
    watching = Optional.empty();
  }
}
