// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.events;

import java.util.List;

/** Webhooks and schedules of a namespace, which servers run. */
public interface EventSubscriptionService {

  /** Subscribes a webhook to events. It replaces a subscription of the same handler. */
  SubscribeResult subscribe(SubscribeRequest request);

  /**
   * Ends a subscription.
   *
   * @throws io.tidemark.objects.TidemarkException with the code {@code not-found} if there is none
   */
  void unsubscribe(String handler);

  /** Returns all subscriptions by handler, without their secrets. */
  List<EventSubscription> subscriptions();

  /** Stores a schedule. It replaces a schedule of the same name. */
  void schedule(EventSchedule schedule);

  /**
   * Removes a schedule.
   *
   * @throws io.tidemark.objects.TidemarkException with the code {@code not-found} if there is none
   */
  void unschedule(String name);

  /** Returns all schedules by name. */
  List<EventSchedule> schedules();
}
