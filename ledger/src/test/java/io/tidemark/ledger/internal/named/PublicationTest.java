// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Commit;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.IndexMaintenance.Report;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestCounts;
import io.tidemark.testkit.objects.RequestLatch;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What telling the nameservice of commits costs, and what becomes of it when it fails. */
class PublicationTest {

  private static final Address CRM = Address.parse("crm");
  private static final TypeId NOTE = TypeId.entity("Note");
  private static final List<TypeSchema> TYPES =
      DeclaredSchema.parse("{\"entity\":\"Note\",\"key\":\"id\",\"fields\":{\"id\":\"long\"}}");

  private final CountingBackend counting = new CountingBackend(new MemoryBackend());

  /** The outermost, so that what it holds back isn't counted yet. */
  private final FaultyBackend backend = new FaultyBackend(counting);

  private final NameService names =
      new NameService(
          new ObjectNameBackend(
              new ObjectStore(backend, Retry.standard()),
              DocumentLayout.B,
              Retry.standard(),
              Clock.systemUTC()),
          NameOptions.standard());
  private final NamedLedgers ledgers = new NamedLedgers(names);

  @BeforeEach
  void init() {
    try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.claim(CRM, Optional.empty())) {
      ledgerLocation.init().init();
    }
  }

  @AfterEach
  void close() {
    names.close();
  }

  private NamedLedgers.OpenLedger open() {
    return ledgers.open(CRM, LedgerOptions.standard());
  }

  private static Optional<Commit> write(Ledger ledger, long... ids) {
    return ledger.write(
        TYPES,
        Map.of(),
        session -> {
          for (long id : ids) {
            session.ensure(NOTE, CanonicalJson.object().put("id", id));
          }
        });
  }

  private Ref published() {
    return names.ledgers().heads(CRM).orElseThrow().commit();
  }

  private static boolean isOfNames(Operation operation, String key) {
    return !key.startsWith("ledgers/");
  }

  @Test
  void aWarmCommitIsPublishedByOneWriteInTheBackground() {
    try (NamedLedgers.OpenLedger openLedger = open()) {
      write(openLedger.ledger(), 1);
      openLedger.ledger().flush();
      write(openLedger.ledger(), 2);
      openLedger.ledger().flush();
      RequestLatch index = new RequestLatch();
      backend.next((operation, key) -> key.contains("meta/indices"), BackendFault.hold(index));

      counting.reset();
      assertThat(write(openLedger.ledger(), 3)).isPresent();
      RequestCounts visible = counting.reset();
      assertThat(published().t()).isEqualTo(2);
      counting.reset();
      index.open();
      openLedger.ledger().flush();

      assertThat(visible.byOperation()).isEqualTo(Map.of(Operation.PUT, 3L));
      assertThat(counting.requests().byOperation())
          .as("the index and the head of the record")
          .isEqualTo(Map.of(Operation.PUT, 2L));
      assertThat(published().t()).isEqualTo(3);
    }
  }

  @Test
  void aNameserviceThatHangsHoldsUpNoCommit() {
    try (NamedLedgers.OpenLedger openLedger = open()) {
      RequestLatch requestLatch = new RequestLatch();
      backend.next(PublicationTest::isOfNames, BackendFault.hold(requestLatch));
      for (long i = 1; i <= 5; i++) {
        assertThat(write(openLedger.ledger(), i).orElseThrow().id()).isEqualTo(i);
      }
      requestLatch.awaitArrival();
      assertThat(openLedger.ledger().log().head()).contains(5L);
      requestLatch.open();
      openLedger.ledger().flush();
      assertThat(published().t()).isEqualTo(5);
    }
  }

  /**
   * Leaves a ledger whose newest commit the nameservice doesn't know of, as when its writer died or
   * couldn't reach it.
   *
   * @return what it would have been told
   */
  private Ref unpublished() {
    try (NamedLedgers.OpenLedger openLedger = open()) {
      write(openLedger.ledger(), 1);
      openLedger.ledger().flush();
      Ledgers.Heads before = names.ledgers().heads(CRM).orElseThrow();
      write(openLedger.ledger(), 2);
      openLedger.ledger().flush();
      Ref newest = published();
      assertThat(newest.t()).isEqualTo(2);
      names.ledgers().reset(CRM, before);
      assertThat(published().t()).isEqualTo(1);
      return newest;
    }
  }

  @Test
  void whatCouldntBePublishedIsWhenAnotherWriterFindsNothingToChange() {
    Ref newest = unpublished();

    try (NamedLedgers.OpenLedger openLedger = open()) {
      assertThat(write(openLedger.ledger(), 2)).isEmpty();
    }

    assertThat(published()).isEqualTo(newest);
  }

  @Test
  void orByARepairThoughNoIndexIsBroken() {
    Ref newest = unpublished();

    try (NamedLedgers.OpenLedger openLedger = open()) {
      assertThat(openLedger.ledger().info().misnamed()).hasValue(1);
      assertThat(openLedger.ledger().indices().verify(Depth.NEWEST).misnamed()).hasValue(1);
      openLedger.ledger().indices().repair(Depth.NEWEST);
      assertThat(openLedger.ledger().indices().verify(Depth.NEWEST)).matches(Report::ok);
    }

    assertThat(published()).isEqualTo(newest);
  }

  @Test
  void aNameAtAnotherCommitOfTheSameNumberIsFoundAndRepaired() {
    Ref newest = unpublished();
    names.ledgers().reset(CRM, new Ledgers.Heads(Ref.of("bagaother", 2), Ref.UNBORN));

    repairsFrom(2);

    assertThat(published()).isEqualTo(newest);
  }

  @Test
  void aRepairOfTheNameKeepsWhatIsIndexedOfOtherGraphs() {
    Ref newest = unpublished();
    names.ledgers().reset(CRM, new Ledgers.Heads(Ref.of("bagaother", 7), Ref.UNBORN));
    ConcernValue indexed =
        ConcernValue.of(2, Payload.parse("{\"other\":{\"id\":\"bagagraph\",\"t\":2}}"));
    names.push(CRM, Concern.INDEX, Optional.of(ConcernValue.UNBORN), indexed);

    repairsFrom(7);

    assertThat(published()).isEqualTo(newest);
    assertThat(names.get(CRM, Concern.INDEX)).contains(indexed);
  }

  @Test
  void butNotWhatIsIndexedOfCommitsThatThereArent() {
    unpublished();
    names.ledgers().reset(CRM, new Ledgers.Heads(Ref.of("bagaother", 7), Ref.of("bagaindex", 7)));

    repairsFrom(7);

    assertThat(names.get(CRM, Concern.INDEX)).contains(ConcernValue.UNBORN);
  }

  private void repairsFrom(long said) {
    try (NamedLedgers.OpenLedger openLedger = open()) {
      assertThat(openLedger.ledger().info().misnamed()).hasValue(said);
      assertThat(openLedger.ledger().indices().repair(Depth.NEWEST).misnamed()).hasValue(said);
      assertThat(openLedger.ledger().indices().verify(Depth.NEWEST)).matches(Report::ok);
    }
  }

  @Test
  void whoOnlyReadsPublishesNothing() {
    unpublished();

    try (NamedLedgers.OpenLedger openLedger = open()) {
      assertThat(openLedger.ledger().log().head()).contains(2L);
      assertThat(openLedger.ledger().info().head()).contains(2L);
    }

    assertThat(published().t()).isEqualTo(1);
  }

  @Test
  void whatIsPublishedIsntPublishedAgain() {
    try (NamedLedgers.OpenLedger openLedger = open()) {
      write(openLedger.ledger(), 1);
    }
    try (NamedLedgers.OpenLedger openLedger = open()) {
      write(openLedger.ledger(), 1);
      openLedger.ledger().flush();

      assertThat(counting.during(() -> write(openLedger.ledger(), 1)).of(Operation.PUT)).isZero();
    }
  }
}
