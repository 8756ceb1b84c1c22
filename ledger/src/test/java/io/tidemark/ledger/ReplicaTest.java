// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.ResultPage;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.MemoryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The local replica: what it is fed with, and what becomes of it when something is wrong. */
class ReplicaTest {

  private static final String ON_REPLICA = "duckdb on a replica";
  private static final String ON_FILES = "duckdb on files";

  @TempDir private Path cache;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());

  @AfterEach
  void close() {
    fixture.close();
  }

  private LedgerOptions options(Replication replication) {
    return LedgerFixture.options()
        .withQueries(LedgerFixture.QUERIES.withCache(cache).withReplica(replication));
  }

  private Ledger openWithReplica() {
    return fixture.open(options(Replication.KEPT));
  }

  private CrossCheckedQueries asked(Ledger ledger) {
    LedgerOptions scan =
        LedgerFixture.options().withQueries(LedgerFixture.QUERIES.withEngine(Engine.SCAN));
    return new CrossCheckedQueries(ledger.query(), fixture.open(scan).query());
  }

  /** Versions of three customers in four commits. */
  private Ledger fourCommits() {
    Ledger ledger = fixture.init();
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(List.of(Customer.of("c1", 1), Customer.of("c2", 1))).commit();
      session.ensure(Customer.of("c1", 2)).commit();
      session.ensure(List.of(Customer.of("c3", 3), Customer.of("c2", 3))).commit();
      session.ensure(Customer.of("c1", 4)).commit();
    }
    ledger.flush();
    return ledger;
  }

  private static Explanation explained(Ledger ledger) {
    return ledger.query().entities(Customer.class).explain();
  }

  private static void answersAlike(CrossCheckedQueries crossCheckedQueries, long head) {
    assertThat(crossCheckedQueries.versions(queries -> queries.entities(Customer.class).history()))
        .isNotEmpty();
    for (long commit = 0; commit <= head; commit++) {
      long at = commit;
      crossCheckedQueries.versions(queries -> queries.entities(Customer.class).asOf(at));
      crossCheckedQueries.versions(queries -> queries.entities(Customer.class).since(at));
      crossCheckedQueries.ids(
          queries -> queries.entities(Customer.class).where(field("id").eq("c1")).asOf(at));
    }
  }

  @Test
  void onlyWhatIsNewIsFed() {
    Ledger writer = fourCommits();
    Ledger ledger = openWithReplica();

    Explanation first = explained(ledger);
    assertThat(first.engine()).isEqualTo(ON_REPLICA);
    assertThat(first.files())
        .extracting(Explanation.File::minCommit)
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(explained(ledger).files()).isEmpty();
    writer.write(
        List.of(RecordType.of(Customer.class).schema()),
        Map.of(),
        session -> session.ensure(Customer.of("c2", 5)));
    assertThat(explained(ledger).files())
        .extracting(Explanation.File::minCommit)
        .containsExactly(5L);
    answersAlike(asked(ledger), 5);
  }

  @Test
  void aQueryOnALedgerThatHasNotMovedAsksForTheHeadOnly() {
    fourCommits().close(); // which leaves nothing to be done behind the request that is counted
    Queries queries = openWithReplica().query();
    assertThat(queries.entities(Customer.class).count()).isEqualTo(3);

    assertThat(fixture.counting().during(() -> queries.entities(Customer.class).count()).total())
        .isEqualTo(1);
  }

  @Test
  void aPageOfAnEarlierCommitIsOfThatCommit() {
    Ledger writer = fourCommits();
    Queries queries = openWithReplica().query();
    ResultPage<Customer> first = queries.entities(Customer.class).limit(1).page();
    writer.write(
        List.of(RecordType.of(Customer.class).schema()),
        Map.of(),
        session -> session.ensure(List.of(Customer.of("c2", 9), Customer.of("c3", 9))));
    assertThat(queries.entities(Customer.class).where(field("age").eq(9)).count()).isEqualTo(2);

    assertThat(queries.entities(Customer.class).after(first.next().orElseThrow()).list())
        .extracting(resultRow -> resultRow.value().age())
        .containsExactly(3L, 3L);
  }

  @Test
  void whoComesLaterFindsWhatWasFed() {
    fourCommits();
    try (Ledger before = Ledger.open(fixture.store(), LedgerFixture.PREFIX, kept())) {
      assertThat(explained(before).files()).hasSize(4);
    }

    Explanation later = explained(fixture.open(options(Replication.IF_WARM)));
    assertThat(later.engine()).isEqualTo(ON_REPLICA);
    assertThat(later.files()).isEmpty();
  }

  private LedgerOptions kept() {
    return options(Replication.KEPT);
  }

  @Test
  void whoAsksOnceReadsFilesUnlessThereIsAReplica() throws IOException {
    fourCommits();

    assertThat(explained(fixture.open(options(Replication.IF_WARM))).engine()).isEqualTo(ON_FILES);
    assertThat(explained(fixture.open(options(Replication.NONE))).engine()).isEqualTo(ON_FILES);
    assertThat(databases()).isEmpty();
  }

  @Test
  void eachOwnerHasAReplicaOfItsOwnAsLongAsThereIsRoom() throws IOException {
    fourCommits();
    for (int i = 0; i < 4; i++) {
      assertThat(explained(openWithReplica()).engine()).isEqualTo(ON_REPLICA);
    }
    Ledger fifth = openWithReplica();

    assertThat(explained(fifth).engine()).isEqualTo(ON_FILES);
    assertThat(databases()).hasSize(4);
    answersAlike(asked(fifth), 4);
  }

  private List<Path> databases() throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      return files.filter(file -> file.toString().endsWith(".duckdb")).toList();
    }
  }

  /** Feeds a replica and leaves it to whoever comes next. */
  private Path fedDatabase() throws IOException {
    fourCommits();
    try (Ledger ledger = Ledger.open(fixture.store(), LedgerFixture.PREFIX, kept())) {
      assertThat(explained(ledger).files()).hasSize(4);
    }
    return databases().get(0);
  }

  @Test
  void oneThatIsNoDatabaseAnyMoreIsMadeAnew() throws IOException {
    Files.write(fedDatabase(), new byte[] {1, 2, 3});
    Ledger ledger = openWithReplica();

    assertThat(explained(ledger).engine()).isEqualTo(ON_REPLICA);
    answersAlike(asked(ledger), 4);
  }

  @Test
  void whateverPartOfItIsDamagedAnswersAreRight() throws IOException {
    Path database = fedDatabase();
    byte[] sound = Files.readAllBytes(database);
    int part = sound.length / 6;
    for (int i = 0; i < 6; i++) {
      byte[] damaged = sound.clone();
      for (int at = i * part; at < (i + 1) * part; at++) {
        damaged[at] ^= 0x55;
      }
      for (Path left : databases()) {
        Files.delete(left);
      }
      Files.write(database, damaged);
      try (Ledger ledger = Ledger.open(fixture.store(), LedgerFixture.PREFIX, kept())) {
        answersAlike(asked(ledger), 4);
      }
    }
  }

  @Test
  void oneOfAnotherFormatIsMadeAnew() throws Exception {
    Path database = fedDatabase();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE replica SET format = 'another'");
    }

    assertThat(explained(openWithReplica()).files()).hasSize(4);
    assertThat(databases()).hasSize(1).doesNotContain(database);
  }

  @Test
  void anotherLedgerInTheSamePlaceIsFedFromItsFirstCommit() {
    fourCommits();
    Ledger ledger = openWithReplica();
    assertThat(explained(ledger).files()).hasSize(4);
    fixture.initialiser().reinitialize(fixture.initialiser().plan().forceToken());
    fixture
        .open()
        .write(
            List.of(RecordType.of(Customer.class).schema()),
            Map.of(),
            session -> session.ensure(Customer.of("other", 7)));

    assertThat(ledger.query().entities(Customer.class).list())
        .extracting(resultRow -> resultRow.meta().identity().toString())
        .containsExactly("other");
    assertThat(explained(ledger).engine()).isEqualTo(ON_REPLICA);
  }

  @Test
  void aMigrationMakesItsTypeAnew() {
    Ledger writer = fourCommits();
    Ledger ledger = openWithReplica();
    assertThat(explained(ledger).files()).hasSize(4);
    migrate(writer);

    List<ResultRow<LaterCustomer>> rows =
        ledger.query().entities(LaterCustomer.class).where(field("note").eq("new")).list();
    assertThat(rows)
        .extracting(ResultRow::value)
        .extracting(LaterCustomer::age)
        .containsExactly(4L, 3L, 3L);
    CrossCheckedQueries crossCheckedQueries = asked(ledger);
    assertThat(
            crossCheckedQueries.versions(
                queries -> queries.entities(LaterCustomer.class).history()))
        .isEqualTo("1:c1 1:c2 2:c1 3:c2 3:c3 4:c1 5:c1 5:c2 5:c3");
    assertThat(crossCheckedQueries.ids(queries -> queries.entities(LaterCustomer.class).asOf(4)))
        .isEqualTo("c1 c2 c3");
  }

  private static void migrate(Ledger ledger) {
    Upgraders noted =
        Upgraders.none().with(Models.CUSTOMER, 1, customer -> customer.put("note", "new"));
    ledger
        .schemas()
        .migrate(
            List.of(RecordType.of(LaterCustomer.class).schema()),
            noted,
            Approval.Force.FORCE,
            Map.of());
  }

  @Test
  void aTypeThatWasDroppedAndHasComeBackHasNoRowsOfBefore() {
    Ledger writer = fourCommits();
    Ledger ledger = openWithReplica();
    assertThat(explained(ledger).files()).hasSize(4);
    writer
        .schemas()
        .drop(
            new DropRequest(
                Models.CUSTOMER, Set.of(), DropRequest.Dependents.CASCADE, DropPlan.History.PURGE),
            Approval.Force.FORCE,
            Map.of());
    fixture
        .open()
        .write(
            List.of(RecordType.of(Customer.class).schema()),
            Map.of(),
            session -> session.ensure(Customer.of("c3", 6)));

    CrossCheckedQueries crossCheckedQueries = asked(ledger);
    assertThat(crossCheckedQueries.versions(queries -> queries.entities(Customer.class).history()))
        .isEqualTo("6:c3");
    assertThat(explained(ledger).engine()).isEqualTo(ON_REPLICA);
  }
}
