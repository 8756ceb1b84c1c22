// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Webhooks and schedules are stored by the command, and shown without their secrets. */
class EventSubscriptionCommandsTest extends EventCommandFixture {

  private static final String URL = "https://example.org/in?token=hidden";

  @Test
  void aWebhookIsSubscribedShownAndUnsubscribed() throws IOException {
    String secret = file("billing.secret", "a secret that nobody knows\n");
    assertThat(
            done(
                "events",
                "subscribe",
                "order.created,order.paid",
                "--url",
                URL,
                "--handler",
                "billing",
                "--secret-file",
                secret))
        .isEqualTo("subscribed billing at https://example.org");
    assertThat(done("events", "subscribe", "order.created", "--url", URL))
        .containsPattern("subscribed webhook-[0-9a-f]{8} at https://example.org")
        .containsPattern("its secret, shown once: [0-9a-f]{64}");

    String listed = done("events", "subscriptions");
    assertThat(listed)
        .containsPattern("billing +order.created,order.paid +https://example.org +2")
        .doesNotContain("hidden", "nobody knows");
    assertThat(done("events", "subscriptions", "--json")).doesNotContain("hidden", "secret");
    assertThat(done("status"))
        .containsPattern("billing +default +order.created,order.paid +https://example.org");
    assertThat(done("events", "unsubscribe", "billing")).isEqualTo("unsubscribed billing");
    failed(1, "there is no subscription billing", "events", "unsubscribe", "billing");
  }

  @Test
  void aScheduleIsAddedListedAndRemoved() {
    assertThat(done("events", "schedule", "list")).isEqualTo("no schedules");
    assertThat(
            done(
                "events",
                "schedule",
                "add",
                "nightly",
                "--cron",
                "30 4 * * *",
                "--type",
                "report.due",
                "--payload",
                "{\"n\":1}"))
        .isEqualTo("scheduled nightly");
    assertThat(done("events", "schedule", "list", "--json"))
        .isEqualTo(
            "[{\"name\":\"nightly\",\"cron\":\"30 4 * * *\",\"type\":\"report.due\","
                + "\"payload\":{\"n\":1},\"priority\":100}]");
    assertThat(done("status")).containsPattern("nightly +default +report.due +30 4");
    failed(
        2, "is no schedule", "events", "schedule", "add", "x", "--cron", "soon", "--type", "a.b");
    assertThat(done("events", "schedule", "remove", "nightly")).isEqualTo("removed nightly");
    assertThat(done("status")).doesNotContain("nightly");
  }
}
