// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.commit.CommitCondition;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** F25: what a commit carries for others is there exactly if the commit is. */
interface OutboxContract {

  BranchName ASIDE = new BranchName("aside");

  LedgerFixture fixture();

  private static ObjectNode document(String id) {
    ObjectNode json = CanonicalJson.object().put("id", id).put("type", "customer.moved");
    json.putObject("payload").put("town", "Zürich").put("number", 7);
    return json;
  }

  private static Outbox outbox(String... ids) {
    return Outbox.of(Stream.of(ids).map(OutboxContract::document).toList());
  }

  private static Optional<Commit> commit(Ledger ledger, Record value, Outbox outbox) {
    try (Session session = ledger.session(Models.all())) {
      return session.ensure(value).commit(Map.of(), CommitCondition.none(), outbox);
    }
  }

  /** Such as {@code 3:a,b}, of commits that carry something. */
  private static List<String> carried(Ledger ledger) {
    List<String> told = new ArrayList<>();
    for (Commit commit : ledger.log().after(0, 1000)) {
      List<String> ids =
          ledger.log().outbox(commit).stream().map(each -> each.path("id").asText()).toList();
      assertThat(ids).hasSize(commit.outboxSize());
      if (!ids.isEmpty()) {
        told.add(commit.id() + ":" + String.join(",", ids));
      }
    }
    return told;
  }

  @Test
  default void f25_whatACommitCarriesIsReadBackByAnother() {
    Commit commit = commit(fixture().init(), Customer.of("c1", 1), outbox("a", "b")).orElseThrow();

    assertThat(commit.outboxSize()).isEqualTo(2);
    Ledger another = fixture().open();
    assertThat(another.log().get(1)).contains(commit);
    assertThat(another.log().outbox(commit)).containsExactly(document("a"), document("b"));
    assertThat(fixture().manifest().path("outbox"))
        .isEqualTo(CanonicalJson.object().putArray("x").add(document("a")).add(document("b")));
    assertThat(commit.path()).isEqualTo(fixture().newestManifest());
  }

  @Test
  default void f25_aCommitThatCarriesNothingIsWhatItWas() {
    Ledger ledger = fixture().init();
    commit(ledger, Customer.of("c1", 1), outbox("a"));
    commit(ledger, Customer.of("c1", 2), Outbox.none());

    assertThat(fixture().manifest().fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "ancestors",
            "commit_id",
            "created_at",
            "files",
            "metadata",
            "parent_commit_id",
            "parent_manifest_path",
            "runtime_id",
            "schema_commits",
            "seal_sha256",
            "type_floors",
            "type_heads",
            "type_versions");
  }

  @Test
  default void f25_numbersOfEveryFormLeaveTheSealUnbroken() {
    ObjectNode document = document("numbers");
    ArrayNode numbers = document.putArray("numbers");
    numbers
        .add(1e22)
        .add(-0.0)
        .add(1.5)
        .add(Double.MIN_VALUE)
        .add(Long.MIN_VALUE)
        .add(1e300)
        .add(0.1f);
    commit(fixture().init(), Customer.of("c1", 1), Outbox.of(List.of(document)));

    Ledger another = fixture().open();
    JsonNode read = another.log().outbox(another.log().get(1).orElseThrow()).get(0);
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(read.path("numbers").get(i).asDouble()).isEqualTo(numbers.get(i).asDouble() + 0.0);
    }
  }

  @Test
  default void f25_writersAtOnceEachCarryTheirOwn() {
    fixture().initialiser().init();
    List<Ledger> ledgers = List.of(fixture().open(), fixture().open());
    List<CompletableFuture<Void>> writers =
        IntStream.range(0, 4)
            .mapToObj(
                w ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 3; i++) {
                            String id = w + "-" + i;
                            commit(ledgers.get(w % 2), Customer.of(id, 1), outbox(id, "and " + id));
                          }
                        }))
            .toList();
    writers.forEach(CompletableFuture::join);

    assertThat(carried(fixture().open()))
        .extracting(told -> told.substring(told.indexOf(':') + 1))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 12)
                .mapToObj(n -> n / 3 + "-" + n % 3)
                .map(id -> id + ",and " + id)
                .toList());
  }

  @Test
  default void f25_whereNothingChangesNothingIsCarried() {
    Ledger ledger = fixture().init();
    commit(ledger, Customer.of("c1", 1), outbox("a"));

    assertThat(commit(ledger, Customer.of("c1", 1), outbox("b"))).isEmpty();
    try (Session session = ledger.session(Models.all())) {
      assertThat(session.commit(Map.of(), CommitCondition.none(), outbox("c"))).isEmpty();
    }
    assertThat(carried(ledger)).containsExactly("1:a");
  }

  @Test
  default void f25_compactingCollectingAndRepairingLeaveItAlone() {
    Ledger ledger = fixture().init();
    for (int i = 1; i <= 4; i++) {
      commit(ledger, Customer.of("c1", i), i % 2 == 0 ? outbox("e" + i) : Outbox.none());
    }
    ledger.flush();
    ledger
        .compaction()
        .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());
    ledger.indices().repair(Depth.EVERY_COMMIT);

    Ledger another = fixture().open();
    assertThat(another.indices().verify(Depth.EVERY_COMMIT).ok()).isTrue();
    assertThat(carried(another)).containsExactly("2:e2", "4:e4");
  }

  @Test
  default void f25_aBranchHasWhatWasCarriedBeforeItAndCarriesItsOwn() {
    Ledger main = fixture().init();
    commit(main, Customer.of("c1", 1), outbox("before"));
    main.branches().create(ASIDE);
    Ledger aside = fixture().open(ASIDE);
    commit(aside, Customer.of("c1", 2), outbox("aside"));

    assertThat(carried(aside)).containsExactly("1:before", "2:aside");
    assertThat(aside.log().forkCommitId()).isEqualTo(1);
    assertThat(carried(main)).containsExactly("1:before");
    assertThat(main.log().forkCommitId()).isZero();

    main.merge(ASIDE, ConflictResolution.REFUSE).apply(Map.of());
    assertThat(carried(main)).containsExactly("1:before", "2:aside");
    assertThat(main.log().get(2)).isEqualTo(aside.log().get(2));
  }

  @Test
  default void f25_tooMuchIsRefusedAndAllStaysQueued() {
    fixture().initialiser().init();
    Ledger ledger = fixture().open(LedgerFixture.options().withMaxOutboxBytes(100));
    try (Session session = ledger.session(Models.all())) {
      session.ensure(Customer.of("c1", 1));

      assertThatThrownBy(() -> session.commit(Map.of(), CommitCondition.none(), outbox("a", "b")))
          .isInstanceOf(OutboxTooLargeException.class)
          .hasMessageStartingWith(
              "the 2 documents for the outbox have 156 bytes and one commit carries 100;");
      assertThat(session.queued()).isEqualTo(1);
      assertThat(session.commit(Map.of(), CommitCondition.none(), outbox("a"))).isPresent();
    }
  }

  @Test
  default void f25_whatCouldNotBeReadBackIsRefused() {
    ObjectNode deep = document("deep");
    ObjectNode inner = deep;
    for (int i = 0; i < 198; i++) {
      inner = inner.putObject("x");
    }
    ObjectNode notANumber = document("nan").put("x", Double.NaN);

    for (ObjectNode bad :
        List.of(
            CanonicalJson.object(), document(" "), document("").put("id", 7), deep, notANumber)) {
      assertThatThrownBy(() -> Outbox.of(List.of(bad))).isInstanceOf(InvalidValueException.class);
    }
    assertThatThrownBy(() -> outbox("same", "same"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("two documents for the outbox have the id \"same\"; give each one of its own");
  }

  @Test
  default void f25_aDocumentThatIsAnotherByNowIsCorrupt() {
    Ledger ledger = fixture().init();
    Commit commit = commit(ledger, Customer.of("c1", 1), outbox("a")).orElseThrow();
    fixture().write(commit.path(), fixture().text(commit.path()).replace("moved", "stays"));

    assertThatThrownBy(() -> ledger.log().outbox(commit))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining("its seal is broken");
  }

  @Test
  default void commitsAfterOneComeInTheirOrderAndNotTooManyAtOnce() {
    Ledger ledger = fixture().init();
    for (int i = 1; i <= 5; i++) {
      commit(ledger, Customer.of("c1", i), Outbox.none());
    }
    CommitLog log = fixture().open().log();

    assertThat(log.after(0, 10)).extracting(Commit::id).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(log.after(1, 2)).extracting(Commit::id).containsExactly(2L, 3L);
    assertThat(log.after(5, 2)).isEmpty();
    assertThat(log.after(9, 2)).isEmpty();
    assertThat(log.after(1, 2)).isEqualTo(List.of(log.get(2).get(), log.get(3).get()));
    assertThat(log.get(2).orElseThrow().types()).containsExactly(Models.CUSTOMER);
  }
}
