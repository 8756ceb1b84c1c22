// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.Event;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.branch.Resolution;
import io.tidemark.ledger.internal.commit.Terms;
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

  Place place();

  @Test
  default void f25_whoeverOpensTheOutboxPublishesWhatADeadProcessLeftInIt() {
    place().process().leave("c1", "a", "b");
    place().process().leave("c2", "c");

    Member next = place().process();
    next.outbox().close();
    assertThat(next.delivered("h")).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(next.position()).isEqualTo(2);
    Member another = place().process();
    assertThat(another.outbox().poll()).isZero();
    assertThat(another.delivered("h")).isEmpty();
  }

  @Test
  default void f25_documentsThatAreNoEventsAreToldAndStopNoOther() {
    Member process = place().process();
    ObjectNode alien = CanonicalJson.object().put("id", "alien").put("namespace", "sales");
    ObjectNode astray = alien.deepCopy().put("id", "astray").put("namespace", "a/b");
    astray.put("type", Member.MOVED).putObject("payload");
    try (Session session = process.session()) {
      session
          .ensure(new Customer("c1", 1))
          .commit(Map.of(), Terms.none(), Outbox.of(List.of(alien, astray)));
    }
    process.leave("c2", "a");

    process.outbox().close();
    List<Event> events = process.deliveries("h");
    assertThat(events)
        .extracting(Event::type)
        .containsExactlyInAnyOrder(Refusal.TYPE, Member.MOVED);
    assertThat(process.keys(Place.BUS + "events/default/")).hasSize(1);
    Event refused =
        events.stream().filter(event -> event.type().equals(Refusal.TYPE)).findFirst().get();
    assertThat(refused.payloadTree().path("commit_id").asLong()).isEqualTo(1);
    assertThat(refused.payloadTree().path("index").asInt()).isZero();
    assertThat(refused.payloadTree().path("reason").asText()).contains("has no JSON object");
  }

  @Test
  default void f25_aDocumentOfBeforeAllTimesStopsNoOther() {
    Member process = place().process();
    ObjectNode old = CanonicalJson.object().put("id", "old").put("namespace", "default");
    old.put("type", Member.MOVED).put("created_at", "1969-12-31T23:59:59+00:00");
    old.putObject("payload");
    try (Session session = process.session()) {
      session.ensure(new Customer("c1", 1)).commit(Map.of(), Terms.none(), Outbox.of(List.of(old)));
    }
    process.leave("c2", "a");

    process.outbox().close();

    assertThat(process.deliveries("h")).extracting(Event::type).contains(Member.MOVED);
    assertThat(process.keys(Place.BUS + "events/default/")).hasSize(1);
  }

  @Test
  default void f25_aBranchTellsWhatIsItsOwnAndAMergeDoublesNothing() {
    BranchName dev = new BranchName("dev");
    Member main = place().process();
    main.leave("c1", "before");
    main.ledger().branches().create(dev);
    Member branch = place().process(place().bytes(), dev);
    try (LedgerOutbox outbox = LedgerOutbox.open(branch.bus(), branch.ledger(), "shop:dev")) {
      assertThat(branch.delivered("h")).isEmpty();
      branch.commit(outbox, "c2", 1, "aside");
      assertThat(branch.delivered("h")).containsExactly("aside");
    }
    main.ledger().merge(dev, Resolution.REFUSE).apply(Map.of());

    main.outbox().close();
    assertThat(place().process().delivered("h")).containsExactly("before");
    assertThat(place().process().delivered("another")).containsExactlyInAnyOrder("before", "aside");
  }

  @Test
  default void f25_processesAtOncePublishEachEventAndAgreeHowFarAllIs() {
    List<Member> processes = List.of(place().process(), place().process());
    List<LedgerOutbox> outboxes = processes.stream().map(Member::outbox).toList();
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

    Member next = place().process();
    assertThat(next.position()).isEqualTo(76);
    assertThat(next.delivered("h")).hasSize(76).doesNotHaveDuplicates();
  }

  @Test
  default void f25_aLedgerThatWasMadeAnewIsToldFromItsBeginning() {
    Member process = place().process();
    process.leave("c1", "a");
    process.leave("c2", "b");
    process.outbox().close();
    process.ledger().close();
    LedgerInit init = new LedgerInit(process.store(), Place.LEDGER);
    init.force(init.plan().forceToken());
    Member next = place().process();
    next.leave("c1", "new");

    next.outbox().close();
    assertThat(next.delivered("h")).containsExactlyInAnyOrder("a", "b", "new");
    assertThat(next.position()).isEqualTo(1);
  }

  @Test
  default void f25_aPositionThatCantBeReadCostsRequestsAndNoEvent() {
    Member process = place().process();
    process.leave("c1", "a");
    process.store().put(Member.POSITION, Body.of("[no"), Condition.none());

    process.outbox().close();
    assertThat(process.delivered("h")).containsExactly("a");
    assertThat(process.position()).isEqualTo(1);
  }
}
