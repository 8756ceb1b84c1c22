// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.events.model.Event;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.names.watch.NameFeed;
import io.tidemark.names.watch.WatchFilter;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What moves in a nameservice becomes events, at least once and to a handler once. */
class NameChangeEventSourceTest {

  private static final Address ORDERS = Address.parse("orders:main");
  private static final String POSITION = OutboxFixture.BUS + "sources/sales/names.here.json";

  /** Which only a hang meets. */
  private static final Duration LONG = Duration.ofMinutes(2);

  private final OutboxFixture outboxFixture = OutboxFixture.on(new MemoryBackend());
  private NameService names = NameService.open("memory:");

  @AfterEach
  void close() throws Exception {
    names.close();
    outboxFixture.close();
  }

  private static NameChangeEventSource changes(
      OutboxProcess process, NameFeed feed, WatchFilter all, StartPosition startPosition) {
    NameChangeEventSource.FollowedNames followedNames =
        new NameChangeEventSource.FollowedNames("here", all);
    return new NameChangeEventSource(
        process.bus(), process.sales(), feed, followedNames, startPosition);
  }

  private static NameChangeEventSource heads(
      OutboxProcess process, NameFeed feed, StartPosition startPosition) {
    return changes(process, feed, WatchFilter.all().of(Concern.HEAD), startPosition);
  }

  /** Such as {@code names.head.moved orders:main 3>5}. */
  private static List<String> told(OutboxProcess process) {
    return process.deliveries("h").stream().map(NameChangeEventSourceTest::line).toList();
  }

  private static String line(Event event) {
    JsonNode payload = event.payloadTree();
    String line = event.type() + " " + payload.path("record").asText();
    return payload.has("watermark")
        ? line + " " + payload.path("before").asText() + ">" + payload.path("watermark").asText()
        : line;
  }

  private void push(long t) {
    names.ledgers().publishCommit(ORDERS, Ref.of("commit-" + t, t));
  }

  @Test
  void whatThereIsAppearsAndWhatMovesIsTold() {
    names.create(ORDERS);
    push(3);
    OutboxProcess process = outboxFixture.process();
    try (NameFeed feed = new NameFeed(names);
        NameChangeEventSource changes = heads(process, feed, StartPosition.OLDEST)) {
      assertThat(changes.poll()).isEqualTo(2);
      assertThat(told(process))
          .containsExactlyInAnyOrder(
              "names.record.appeared orders:main", "names.head.moved orders:main null>3");
      push(5);
      assertThat(changes.poll(LONG)).isEqualTo(1);
      assertThat(told(process)).containsExactly("names.head.moved orders:main 3>5");
      assertThat(changes.poll()).isZero();
    }
  }

  @Test
  void everyConcernAndTheRecordItselfAreTold() {
    names.create(ORDERS);
    OutboxProcess process = outboxFixture.process();
    try (NameFeed feed = new NameFeed(names);
        NameChangeEventSource changes =
            changes(process, feed, WatchFilter.all(), StartPosition.NEWEST)) {
      assertThat(changes.poll()).isZero();
      push(1);
      changes.poll(LONG);
      names.ledgers().publishIndex(ORDERS, Ref.of("index-1", 1));
      changes.poll(LONG);
      assertThat(told(process))
          .containsExactlyInAnyOrder(
              "names.head.moved orders:main 0>1", "names.index.moved orders:main 0>1");
      names.retract(ORDERS);
      changes.poll(LONG);
      assertThat(told(process))
          .containsExactlyInAnyOrder(
              "names.record.retracted orders:main", "names.status.moved orders:main 1>2");
      names.restore(ORDERS);
      changes.poll(LONG);
      names.purge(ORDERS);
      changes.poll(LONG);
      assertThat(told(process))
          .contains("names.record.restored orders:main", "names.record.purged orders:main");
    }
  }

  @Test
  void whoGoesOnIsToldWhatMovedMeanwhile() {
    names.create(ORDERS);
    push(1);
    OutboxProcess process = outboxFixture.process();
    try (NameFeed feed = new NameFeed(names)) {
      heads(process, feed, StartPosition.NEWEST).poll();
    }
    push(2);
    push(4);

    OutboxProcess another = outboxFixture.process();
    try (NameFeed feed = new NameFeed(names);
        NameChangeEventSource changes = heads(another, feed, StartPosition.NEWEST)) {
      assertThat(changes.poll()).isEqualTo(1);
      assertThat(told(another)).containsExactly("names.head.moved orders:main 1>4");
    }
  }

  @Test
  void whatCouldntBePublishedIsToldTheNextTime() {
    names.create(ORDERS);
    push(1);
    FaultyBackend faulty = new FaultyBackend(outboxFixture.bytes());
    OutboxProcess process = outboxFixture.process(faulty);
    try (NameFeed feed = new NameFeed(names);
        NameChangeEventSource changes = heads(process, feed, StartPosition.OLDEST)) {
      for (String key : List.of(OutboxFixture.BUS + "events/", POSITION)) {
        faulty.next(
            (operation, each) -> operation == Operation.PUT && each.startsWith(key),
            BackendFault.runBefore(
                () -> {
                  throw new StoreFailureException("injected");
                }));
        assertThatThrownBy(changes::poll).isInstanceOf(StoreFailureException.class);
      }
      assertThat(changes.poll()).isEqualTo(2);
    }
    assertThat(told(process))
        .containsExactlyInAnyOrder(
            "names.record.appeared orders:main", "names.head.moved orders:main null>1");
  }

  @Test
  void followersAtOnceMakeOneEventOfAMove() {
    names.create(ORDERS);
    push(1);
    OutboxProcess one = outboxFixture.process();
    OutboxProcess other = outboxFixture.process();
    try (NameFeed feed = new NameFeed(names);
        NameFeed another = new NameFeed(names)) {
      assertThat(heads(one, feed, StartPosition.OLDEST).poll()).isEqualTo(2);
      one.store().delete(POSITION);
      assertThat(heads(other, another, StartPosition.OLDEST).poll()).isEqualTo(2);
    }
    assertThat(told(one)).hasSize(2);
  }

  @Test
  void aPositionThatCantBeReadHasAllToldAgainAsTheSame() {
    names.create(ORDERS);
    OutboxProcess process = outboxFixture.process();
    try (NameFeed feed = new NameFeed(names)) {
      assertThat(heads(process, feed, StartPosition.OLDEST).poll()).isEqualTo(1);
      for (String damaged : List.of("{no", "{\"cursor\":7}", "{\"cursor\":{}}")) {
        process.store().put(POSITION, Body.of(damaged), Condition.none());
        assertThat(heads(process, feed, StartPosition.NEWEST).poll()).isEqualTo(1);
      }
    }
    assertThat(told(process)).containsExactly("names.record.appeared orders:main");
  }

  @Test
  void aDirectoryIsFollowedAcrossProcesses(@TempDir Path directory) {
    names.close();
    names = NameService.open(directory.toUri().toString());
    names.create(ORDERS);
    OutboxProcess process = outboxFixture.process();
    try (NameFeed feed = new NameFeed(names)) {
      assertThat(heads(process, feed, StartPosition.OLDEST).poll()).isEqualTo(1);
    }
    push(7);
    try (NameService another = NameService.open(directory.toUri().toString());
        NameFeed feed = new NameFeed(another)) {
      assertThat(heads(outboxFixture.process(), feed, StartPosition.OLDEST).poll()).isEqualTo(1);
    }
    assertThat(told(process))
        .containsExactlyInAnyOrder(
            "names.record.appeared orders:main", "names.head.moved orders:main 0>7");
  }
}
