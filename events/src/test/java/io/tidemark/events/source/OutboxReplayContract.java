// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Event;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** F25: what commits carry is published by whoever comes, once to each handler. */
interface OutboxReplayContract {

  OutboxFixture place();

  @Test
  default void f25_whoeverOpensTheOutboxPublishesWhatADeadProcessLeftInIt() {
    place().process().leave("c1", "a", "b");
    place().process().leave("c2", "c");

    OutboxProcess next = place().process();
    next.outbox().close();
    assertThat(next.delivered("h")).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(next.position()).isEqualTo(2);
    OutboxProcess another = place().process();
    assertThat(another.outbox().poll()).isZero();
    assertThat(another.delivered("h")).isEmpty();
  }

  @Test
  default void f25_documentsThatAreNoEventsAreToldAndStopNoOther() {
    OutboxProcess process = place().process();
    ObjectNode alien = CanonicalJson.object().put("id", "alien").put("namespace", "sales");
    ObjectNode astray = alien.deepCopy().put("id", "astray").put("namespace", "a/b");
    astray.put("type", OutboxProcess.MOVED).putObject("payload");
    try (Session session = process.session()) {
      session
          .ensure(new Customer("c1", 1))
          .commit(Map.of(), CommitCondition.none(), Outbox.of(List.of(alien, astray)));
    }
    process.leave("c2", "a");

    process.outbox().close();
    List<Event> events = process.deliveries("h");
    assertThat(events)
        .extracting(Event::type)
        .containsExactlyInAnyOrder(OutboxRejection.TYPE, OutboxProcess.MOVED);
    assertThat(process.keys(OutboxFixture.BUS + "events/default/")).hasSize(1);
    Event refused =
        events.stream()
            .filter(event -> event.type().equals(OutboxRejection.TYPE))
            .findFirst()
            .get();
    assertThat(refused.payloadTree().path("commit_id").asLong()).isEqualTo(1);
    assertThat(refused.payloadTree().path("index").asInt()).isZero();
    assertThat(refused.payloadTree().path("reason").asText()).contains("has no JSON object");
  }

  @Test
  default void f25_aDocumentOfBeforeAllTimesStopsNoOther() {
    OutboxProcess process = place().process();
    ObjectNode old = CanonicalJson.object().put("id", "old").put("namespace", "default");
    old.put("type", OutboxProcess.MOVED).put("created_at", "1969-12-31T23:59:59+00:00");
    old.putObject("payload");
    try (Session session = process.session()) {
      session
          .ensure(new Customer("c1", 1))
          .commit(Map.of(), CommitCondition.none(), Outbox.of(List.of(old)));
    }
    process.leave("c2", "a");

    process.outbox().close();

    assertThat(process.deliveries("h")).extracting(Event::type).contains(OutboxProcess.MOVED);
    assertThat(process.keys(OutboxFixture.BUS + "events/default/")).hasSize(1);
  }

  @Test
  default void f25_aBranchTellsWhatIsItsOwnAndAMergeDoublesNothing() {
    BranchName dev = new BranchName("dev");
    OutboxProcess main = place().process();
    main.leave("c1", "before");
    main.ledger().branches().create(dev);
    OutboxProcess branch = place().process(place().bytes(), dev);
    try (LedgerOutbox outbox = LedgerOutbox.open(branch.bus(), branch.ledger(), "shop:dev")) {
      assertThat(branch.delivered("h")).isEmpty();
      branch.commit(outbox, "c2", 1, "aside");
      assertThat(branch.delivered("h")).containsExactly("aside");
    }
    main.ledger().merge(dev, ConflictResolution.REFUSE).apply(Map.of());

    main.outbox().close();
    assertThat(place().process().delivered("h")).containsExactly("before");
    assertThat(place().process().delivered("another")).containsExactlyInAnyOrder("before", "aside");
  }

  @Test
  default void f25_processesAtOncePublishEachEventAndAgreeHowFarAllIs() {
    List<OutboxProcess> processes = List.of(place().process(), place().process());
    List<LedgerOutbox> outboxes = processes.stream().map(OutboxProcess::outbox).toList();
    IntStream.range(0, 2)
        .parallel()
        .forEach(
            p -> {
              for (int i = 0; i < (p == 0 ? 66 : 10); i++) {
                String id = p + "-" + i;
                processes.get(p).commit(outboxes.get(p), "c" + p, i, id);
              }
            });
    outboxes.forEach(LedgerOutbox::close);

    OutboxProcess next = place().process();
    assertThat(next.position()).isEqualTo(76);
    assertThat(next.delivered("h")).hasSize(76).doesNotHaveDuplicates();
  }

  @Test
  default void f25_aLedgerThatWasMadeAnewIsToldFromItsBeginning() {
    OutboxProcess process = place().process();
    process.leave("c1", "a");
    process.leave("c2", "b");
    process.outbox().close();
    process.ledger().close();
    LedgerInitializer init = new LedgerInitializer(process.store(), OutboxFixture.LEDGER);
    init.reinitialize(init.plan().forceToken());
    OutboxProcess next = place().process();
    next.leave("c1", "new");

    next.outbox().close();
    assertThat(next.delivered("h")).containsExactlyInAnyOrder("a", "b", "new");
    assertThat(next.position()).isEqualTo(1);
  }

  @Test
  default void f25_aPositionThatCantBeReadCostsRequestsAndNoEvent() {
    OutboxProcess process = place().process();
    process.leave("c1", "a");
    process.store().put(OutboxProcess.POSITION, Body.of("[no"), Condition.none());

    process.outbox().close();
    assertThat(process.delivered("h")).containsExactly("a");
    assertThat(process.position()).isEqualTo(1);
  }
}
