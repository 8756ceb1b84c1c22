// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.soak;

import static io.tidemark.events.soak.SoakWorker.FOLLOWING;
import static io.tidemark.events.soak.SoakWorker.NAMESPACE;
import static io.tidemark.events.soak.SoakWorker.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.ClaimRequest;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.model.EventTypes;
import io.tidemark.events.model.ListedEvent;
import io.tidemark.events.model.NewEvent;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.RamDirectory;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.process.ChildJvm;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight workers in two processes whose clocks differ, which lose answers and are killed: every
 * event is handled by each handler, or is a dead letter with the reason; no claim is taken from
 * somebody who has it; and nothing is left.
 */
final class SoakTest {
  private static final boolean SOAK = Boolean.getBoolean("soak");
  private static final int ROUNDS = SOAK ? 40 : 1;
  private static final int EVENTS_A_ROUND = SOAK ? 150 : 60;
  private static final int MOST_LINES = SOAK ? 300 : 80;
  private static final int POISONED = 20;

  /** A quarter of what is allowed: the processes' clocks differ from each other and from ours. */
  private static final int MOST_SKEW_MILLIS = 500;

  @TempDir(factory = RamDirectory.class)
  Path root;

  private final Seed seed = Seed.of("SoakTest");
  private final RandomGenerator random = seed.random();
  private final Set<String> handled = new HashSet<>();
  private final List<String> violations = new ArrayList<>();
  private final List<Event> published = new ArrayList<>();

  @Test
  void everyEventIsHandledWhateverDies() {
    try (ObjectStore store =
            new ObjectStore(SoakWorker.directory(root, Clock.systemUTC()), Retry.standard());
        EventBus bus = EventBus.open(store, "", SoakWorker.options())) {
      Namespace namespace = bus.namespace(NAMESPACE);
      for (int round = 0; round < ROUNDS; round++) {
        publish(namespace, EVENTS_A_ROUND / 2);
        killSomebody(namespace);
      }
      drain();
    }
    try (ObjectStore store =
            new ObjectStore(SoakWorker.directory(root, Clock.systemUTC()), Retry.standard());
        EventBus bus = EventBus.open(store, "", SoakWorker.options())) {
      assertThat(violations).as(seed.toString()).isEmpty();
      assertNothingIsLeft(bus.namespace(NAMESPACE));
      assertAllIsDone(
          bus.namespace(NAMESPACE).list(Integer.MAX_VALUE), Outcomes.of(store, NAMESPACE));
    }
  }

  private void publish(Namespace namespace, int count) {
    for (int i = 0; i < count; i++) {
      boolean poison = random.nextInt(POISONED) == 0;
      NewEvent event =
          NewEvent.of(WORK, "{\"poison\":" + poison + "}").withPriority(random.nextInt(3));
      published.add(namespace.publish(event).event());
    }
  }

  /** Two processes at work, which are killed after as many lines as chance wants. */
  private void killSomebody(Namespace namespace) {
    try (ChildJvm one = start("run");
        ChildJvm other = start("run")) {
      publish(namespace, EVENTS_A_ROUND / 2);
      read(one, 1 + random.nextInt(MOST_LINES));
      one.kill().forEach(this::take);
      read(other, 1 + random.nextInt(MOST_LINES));
      other.kill().forEach(this::take);
    }
  }

  /** Two processes that end when there is nothing left. */
  private void drain() {
    try (ChildJvm one = start("drain");
        ChildJvm other = start("drain")) {
      for (ChildJvm child : List.of(one, other)) {
        List<String> lines = child.linesToEnd();
        lines.forEach(this::take);
        assertThat(lines).as(seed.toString()).endsWith("left 0");
      }
    }
  }

  private ChildJvm start(String how) {
    int skew = random.nextInt(-MOST_SKEW_MILLIS, MOST_SKEW_MILLIS + 1);
    ChildJvm child =
        ChildJvm.start(
            SoakWorker.class,
            root.toString(),
            Long.toString(random.nextLong()),
            Integer.toString(skew),
            how);
    child.expectLine("ready").send("go");
    return child;
  }

  /** Reads so many lines, unless there is nothing to do any more. */
  private void read(ChildJvm child, int lines) {
    for (int i = 0; i < lines && !isEverythingHandled(); i++) {
      take(child.nextLine().orElseThrow());
    }
  }

  /** Then nobody says anything any more. */
  private boolean isEverythingHandled() {
    return handled.size() >= published.size() * 2;
  }

  private void take(String line) {
    if (line.startsWith("handled ")) {
      handled.add(line.substring("handled ".length()));
    } else if (line.startsWith("violation ")) {
      violations.add(line);
    }
  }

  private void assertNothingIsLeft(Namespace namespace) {
    for (String handler : List.of("steady", "flaky", "picky")) {
      EventTypeFilter eventTypeFilter =
          handler.equals("steady") ? EventTypeFilter.in(WORK, FOLLOWING) : EventTypeFilter.in(WORK);
      assertThat(namespace.claim(new ClaimRequest(handler, eventTypeFilter, 100, "last")))
          .as("%s of %s", handler, seed)
          .isEmpty();
      assertThat(namespace.backlog(handler).isEmpty()).as("%s of %s", handler, seed).isTrue();
    }
  }

  private void assertAllIsDone(List<ListedEvent> events, Outcomes outcomes) {
    Set<String> followed = new HashSet<>();
    int told = 0;
    for (ListedEvent listed : events) {
      Event event = listed.event().orElseThrow();
      if (event.type().equals(FOLLOWING)) {
        assertThat(followed.add(event.rootEventId())).as("%s, %s", event, seed).isTrue();
        assertDone(outcomes, event, "steady");
      } else if (event.type().equals(EventTypes.DEAD_LETTER)) {
        told++;
      }
    }
    Set<String> picked = new HashSet<>();
    for (Event event : published) {
      assertDone(outcomes, event, "steady");
      assertDone(outcomes, event, "flaky");
      if (assertDone(outcomes, event, "picky")) {
        picked.add(event.id());
        assertThat(event.payload()).isEqualTo("{\"poison\":false}");
      }
    }
    assertThat(followed).as(seed.toString()).containsAll(picked);
    assertThat(told).as(seed.toString()).isEqualTo(outcomes.deadLetters());
    System.out.printf(
        "SoakTest: %d events, %d dead letters%n", events.size(), outcomes.deadLetters());
  }

  /** Whether a handler has handled an event; otherwise it is a dead letter. */
  private boolean assertDone(Outcomes outcomes, Event event, String handler) {
    JsonNode claim = outcomes.claim(event.id(), handler).orElseThrow();
    Optional<JsonNode> letter = outcomes.deadLetter(event.id(), handler);
    boolean acked = !claim.path("ack_at").isNull();
    boolean dead = !claim.path("dead_lettered_at").isNull();
    assertThat(acked != dead).as("%s, %s", claim, seed).isTrue();
    assertThat(letter.isPresent()).as("%s, %s", claim, seed).isEqualTo(dead);
    if (dead) {
      assertThat(letter.orElseThrow().path("last_error").asText())
          .as("%s, %s", letter, seed)
          .isNotBlank();
      return false;
    }
    assertThat(handled).as(seed.toString()).contains(handler + " " + event.id());
    return true;
  }
}
