// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.subscribe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.schedule.Cron;
import io.tidemark.events.schedule.Schedule;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Webhooks and schedules of a namespace, stored as one document.
 *
 * @param webhooks subscriptions by handler
 * @param schedules schedules by name
 */
public record Subscriptions(List<Subscription> webhooks, List<NamedSchedule> schedules) {

  public static final Subscriptions NONE = new Subscriptions(List.of(), List.of());

  public Subscriptions {
    webhooks = List.copyOf(webhooks);
    schedules = List.copyOf(schedules);
  }

  /** Returns these with a subscription in place of one of the same handler. */
  public Subscriptions with(Subscription webhook) {
    return new Subscriptions(
        Stream.concat(
                webhooks.stream().filter(each -> !each.handler().equals(webhook.handler())),
                Stream.of(webhook))
            .sorted(Comparator.comparing(Subscription::handler))
            .toList(),
        schedules);
  }

  /** Returns these without a handler. */
  public Subscriptions withoutWebhook(String handler) {
    return new Subscriptions(
        webhooks.stream().filter(each -> !each.handler().equals(handler)).toList(), schedules);
  }

  /** Returns these with a schedule in place of one of the same name. */
  public Subscriptions with(NamedSchedule schedule) {
    return new Subscriptions(
        webhooks,
        Stream.concat(
                schedules.stream().filter(each -> !each.name().equals(schedule.name())),
                Stream.of(schedule))
            .sorted(Comparator.comparing(NamedSchedule::name))
            .toList());
  }

  /** Returns these without a schedule. */
  public Subscriptions withoutSchedule(String name) {
    return new Subscriptions(
        webhooks, schedules.stream().filter(each -> !each.name().equals(name)).toList());
  }

  String json() {
    ObjectNode json = CanonicalJson.object();
    ArrayNode hooks = json.putArray("subscriptions");
    for (Subscription each : webhooks) {
      ObjectNode one = hooks.addObject().put("handler_id", each.handler());
      ArrayNode types = one.putArray("types");
      each.types().forEach(types::add);
      one.put("url", each.url())
          .put("secret", each.secret())
          .put("created_at", UtcTimestamp.format(each.createdAt()));
    }
    ArrayNode times = json.putArray("schedules");
    for (NamedSchedule each : schedules) {
      times
          .addObject()
          .put("name", each.name())
          .put("cron", each.schedule().cron().toString())
          .put("type", each.schedule().type())
          .put("payload", each.schedule().payload())
          .put("priority", each.schedule().priority());
    }
    return CanonicalJson.write(json);
  }

  static Subscriptions read(byte[] bytes) {
    try {
      JsonNode json = CanonicalJson.parse(new String(bytes, StandardCharsets.UTF_8));
      List<Subscription> webhooks = new ArrayList<>();
      for (JsonNode each : json.path("subscriptions")) {
        List<String> types = new ArrayList<>();
        each.path("types").forEach(type -> types.add(type.asText()));
        Optional<Instant> createdAt = UtcTimestamp.parse(each.path("created_at").asText());
        webhooks.add(
            new Subscription(
                each.path("handler_id").asText(),
                types,
                each.path("url").asText(),
                each.path("secret").asText(),
                createdAt.orElse(Instant.EPOCH)));
      }
      List<NamedSchedule> schedules = new ArrayList<>();
      for (JsonNode each : json.path("schedules")) {
        schedules.add(
            new NamedSchedule(
                each.path("name").asText(),
                new Schedule(
                    Cron.parse(each.path("cron").asText()),
                    each.path("type").asText(),
                    each.path("payload").asText(),
                    each.path("priority").asInt())));
      }
      return new Subscriptions(webhooks, schedules);
    } catch (IOException e) {
      throw new TidemarkException(
          ErrorCode.CORRUPT, "the stored subscriptions of events are no JSON; restore them", e);
    }
  }

  /** Returns the numbers of both, without what may be secret. */
  @Override
  public String toString() {
    return webhooks.size() + " webhooks, " + schedules.size() + " schedules";
  }
}
