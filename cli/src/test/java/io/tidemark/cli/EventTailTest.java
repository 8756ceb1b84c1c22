// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who reads along sees events as they come. */
class EventTailTest extends LedgerCommandFixture {

  private static final long LIMIT = Duration.ofSeconds(100).toNanos();

  @Test
  void eventsArePrintedAsTheyCome() {
    done("events", "publish", "order.created", "--id", "before");
    CompletableFuture<Outcome> tail =
        CompletableFuture.supplyAsync(
            () ->
                run(
                    "events",
                    "tail",
                    "--type",
                    "order.paid",
                    "--count",
                    "2",
                    "--interval",
                    "0.01"));
    long start = System.nanoTime();
    for (int i = 0; !tail.isDone(); i++) { // it may not have begun with the first
      assertThat(System.nanoTime() - start).isLessThan(LIMIT);
      done("events", "publish", "order.created", "--id", "other" + i);
      done("events", "publish", "order.paid", "{\"order\":" + i + "}", "--id", "paid" + i);
    }
    Outcome outcome = tail.join();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out().lines())
        .hasSize(2)
        .allMatch(line -> line.matches("2\\S+  paid\\d+  order\\.paid  \\{\"order\":\\d+}"));
  }

  @Test
  void whatIsThereIsToldFromTheStartInOrder() {
    done("events", "publish", "order.created", "--id", "b");
    done("events", "publish", "order.created", "--id", "a");
    assertThat(done("events", "tail", "--from-start", "--for", "0").lines())
        .extracting(line -> line.split("  ", -1)[1])
        .containsExactly("b", "a");
    assertThat(done("events", "tail", "--from-start", "--count", "1")).contains("  b  ");
    assertThat(done("events", "tail", "--for", "0")).isEmpty();
    assertThat(done("events", "list")).as("claims nothing").doesNotContain("claimed");
  }

  @Test
  void whatMakesNoSenseIsMisuse() {
    failed(2, "--interval must be at least", "events", "tail", "--interval", "0");
    failed(2, "--count at least 1", "events", "tail", "--count", "0");
    failed(2, "a namespace can't be called", "events", "tail", "-n", "a/b");
    Outcome nothing = plain("events");
    assertThat(nothing.exitCode()).isEqualTo(2);
    assertThat(nothing.err()).contains("say what to do: publish, list, show, claim, ack");
  }

  @Test
  void everyVerbHasExamples() {
    String overview = help("events");
    assertThat(overview).contains("publish", "dead-letters", "tail");
    for (String verb :
        new String[] {
          "publish",
          "list",
          "show",
          "claim",
          "ack",
          "release",
          "dead-letters",
          "replay",
          "cleanup",
          "namespaces",
          "sessions",
          "tail"
        }) {
      assertThat(plain("events", verb, "--help").out())
          .contains("Usage: tidemark events " + verb, "Examples:", "--json");
    }
  }
}
