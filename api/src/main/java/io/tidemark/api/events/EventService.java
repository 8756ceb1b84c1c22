// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.util.List;

/**
 * Events of one namespace. Each handler gets each event at least once, until it acknowledges the
 * event or gives it up.
 *
 * <p>Instances may be used by any number of threads.
 */
public interface EventService {

  /** Number of failures of a handler after which it gives an event up. */
  int MOST_FAILURES = 10;

  /** Publishes an event. */
  default PublishedEvent publish(PublishRequest event) {
    return publish(List.of(event)).get(0);
  }

  /**
   * Publishes events one by one, after all of them were validated. An event whose id was published
   * before is one event to handlers, so that a request with ids can be repeated.
   */
  List<PublishedEvent> publish(List<PublishRequest> events);

  /** Claims events for a handler: highest priority first, then the oldest. */
  List<ClaimedEvent> claim(EventClaimRequest request);

  /** Acknowledges, releases, gives up or renews events that a session has claimed. */
  List<SettleResult> settle(SettleRequest request);

  /** Follows the events that are published, without claiming them. */
  EventTail follow(FollowRequest request);

  /** Returns the service for stored events, dead letters and sessions. */
  EventArchiveService archive();

  /** Returns the service for webhooks and schedules. */
  EventSubscriptionService subscriptions();
}
