// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.features.CuttingProxy.Cut;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.CommitResolver;
import io.tidemark.features.db.Database;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.db.SchemaLocation;
import io.tidemark.features.model.CommitUnknownException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The connection breaks in the middle: what took place is found out, never guessed. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostAnswerTest {

  private final AtomicInteger number = new AtomicInteger();
  private String url = "";
  private String foo = "";
  private CuttingProxy wire;
  private Features features;

  @BeforeAll
  void create(PostgresServer server) {
    url = server.createDatabase();
  }

  @BeforeEach
  void open() throws IOException {
    wire = CuttingProxy.to(url);
    features = Features.open(wire.url(url), "store");
    foo = "foo" + number.incrementAndGet();
    features.transact(
        ALICE, tx -> tx.collections().create(foo, CollectionOptions.none().unpartitioned()));
  }

  @AfterEach
  void close() {
    features.close();
    wire.close();
  }

  private static List<Write> creates(int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> Write.create(Feature.parse("{\"id\": \"f%d\"}".formatted(n))))
        .toList();
  }

  private long stored() throws SQLException {
    try (Psql psql = Psql.connect(url)) {
      return psql.number("SELECT count(*) FROM " + foo);
    }
  }

  @Test
  void aCommitThatTookPlaceIsReportedAsDoneThoughItsAnswerIsLost() throws SQLException {
    wire.cut(Cut.AFTER, "COMMIT");

    BatchResult result = features.write(ALICE, foo, creates(50));

    assertThat(wire.hasCut()).isTrue();
    assertThat(result.done()).isTrue();
    assertThat(stored()).isEqualTo(50);
  }

  @Test
  void aCommitThatNeverReachedTheServerIsReportedAsNotDone() throws SQLException {
    wire.cut(Cut.BEFORE, "COMMIT");

    assertThatThrownBy(() -> features.write(ALICE, foo, creates(50)))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("didn't take place; do it again");

    assertThat(stored()).isZero();
    assertThat(features.write(ALICE, foo, creates(50)).done()).as("done again").isTrue();
    assertThat(features.checker().check(foo).flaws()).isEmpty();
  }

  private Features impatient() {
    FeaturesOptions options =
        FeaturesOptions.defaults()
            .withConnectTimeout(Duration.ofSeconds(1))
            .withLockTimeout(Duration.ofMinutes(1))
            .withCommitPatience(Duration.ZERO);
    return Features.open(wire.url(url), "store", options);
  }

  private CommitUnknownException unknown(Features there) {
    CommitUnknownException unknown =
        catchThrowableOfType(
            CommitUnknownException.class, () -> there.write(ALICE, foo, creates(50)));
    assertThat(wire.hasCut()).isTrue();
    return unknown;
  }

  @ParameterizedTest
  @EnumSource
  void aCommitThatNobodyCanBeAskedAboutIsUnknownUntilTheServerIsBack(Cut cut) throws SQLException {
    try (Features impatient = impatient()) {
      wire.cutAndStayAway(cut, "COMMIT");

      CommitUnknownException unknown = unknown(impatient);

      assertThat(unknown.code()).isEqualTo("outcome-unknown");
      assertThat(unknown)
          .hasMessageContaining("the commit of transaction " + unknown.transactionId())
          .hasMessageContaining("ask again by Features.tookPlace")
          .hasMessageContaining(
              "'tidemark features outcome %s \"%s\"'"
                  .formatted(unknown.transactionId(), unknown.began()))
          .hasMessageContaining(
              "psql_id %s with the ts %s", unknown.transactionId(), unknown.began());
      wire.comeBack();

      boolean tookPlace = impatient.wasCommitted(unknown);
      assertThat(tookPlace).isEqualTo(cut == Cut.AFTER);
      assertThat(stored()).isEqualTo(tookPlace ? 50 : 0);
      assertThat(impatient.write(ALICE, foo, creates(50)).done())
          .as("again")
          .isNotEqualTo(tookPlace);
      assertThat(features.checker().check(foo).flaws()).isEmpty();
      try (Psql psql = Psql.connect(url)) {
        String logged =
            "SELECT count(*) FROM naksha_tx WHERE psql_id = %s AND ts = '%s' AND action <> 'COMMIT'"
                .formatted(unknown.transactionId(), unknown.began());
        assertThat(psql.number(logged)).as("what a person looks up").isEqualTo(tookPlace ? 1 : 0);
      }
    }
  }

  /** The log has nothing of it yet, which doesn't mean that it won't. */
  @Test
  void aCommitThatIsStillUnderWayIsUnknownUntilItEnds() throws SQLException {
    try (Psql psql = Psql.connect(url);
        Features impatient = impatient()) {
      psql.run(
          "CREATE FUNCTION wait_%s() RETURNS trigger LANGUAGE plpgsql AS".formatted(foo)
              + " 'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END'",
          "CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON %1$s DEFERRABLE INITIALLY DEFERRED"
                  .formatted(foo)
              + " FOR EACH ROW EXECUTE FUNCTION wait_%s()".formatted(foo),
          "SELECT pg_advisory_lock(4711)");
      wire.cut(Cut.AFTER, "COMMIT");

      CommitUnknownException unknown = unknown(impatient);

      assertThat(unknown.getSuppressed())
          .singleElement()
          .extracting(Throwable::getMessage)
          .isEqualTo("the transaction is still under way");
      assertThatThrownBy(() -> impatient.wasCommitted(unknown))
          .as("still under way")
          .isInstanceOf(CommitUnknownException.class)
          .hasMessage(unknown.getMessage());
      psql.run("SELECT pg_advisory_unlock(4711)");
      assertThat(features.wasCommitted(unknown)).as("asked by somebody patient").isTrue();
      assertThat(stored()).isEqualTo(50);
    }
  }

  /** Nobody looks up what became of it; so nobody may say that nothing was changed. */
  @Test
  void whatIsDoneWithoutAnActorMayHaveTakenPlaceWhenItsAnswerIsLost() {
    features.write(ALICE, foo, creates(1));
    wire.cut(Cut.AFTER, "COMMIT");

    assertThatThrownBy(() -> features.log().sequence())
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("it isn't known whether the commit took place")
        .hasMessageNotContaining("nothing was changed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"naksha_tx_start", "naksha_collection_write", "nextval", "_addnew"})
  void aConnectionThatBreaksInTheMiddleOfABatchLeavesNothing(String word) throws SQLException {
    for (Cut cut : Cut.values()) {
      wire.cut(cut, word);

      assertThatThrownBy(() -> features.write(ALICE, foo, creates(5)))
          .isInstanceOf(StorageUnavailableException.class)
          .hasMessageContaining("nothing was changed, try again");

      assertThat(wire.hasCut()).isTrue();
      assertThat(stored()).isZero();
    }
    assertThat(features.write(ALICE, foo, creates(5)).done()).isTrue();
  }

  /** Many are written in other ways than few. */
  @ParameterizedTest
  @CsvSource({"_add\", false", "_lock, true", "_replace, true", "_remove, true"})
  void aConnectionThatBreaksInTheMiddleOfManyLeavesThemAsTheyWere(String word, boolean there)
      throws SQLException {
    if (there) {
      features.write(ALICE, foo, creates(50));
    }
    List<Write> writes =
        switch (word) {
          case "_add\"" -> creates(50);
          case "_remove" -> IntStream.range(0, 50).mapToObj(n -> Write.delete("f" + n)).toList();
          default ->
              IntStream.range(0, 50)
                  .mapToObj(n -> Write.update(Feature.parse("{\"id\": \"f%d\"}".formatted(n))))
                  .toList();
        };
    for (Cut cut : Cut.values()) {
      wire.cut(cut, word);

      assertThatThrownBy(() -> features.write(ALICE, foo, writes))
          .isInstanceOf(StorageUnavailableException.class)
          .hasMessageContaining("nothing was changed, try again");

      assertThat(wire.hasCut()).isTrue();
      assertThat(stored()).isEqualTo(there ? 50 : 0);
      try (Psql psql = Psql.connect(url)) {
        assertThat(
                psql.number(
                    "SELECT (SELECT count(*) FROM %1$s_hst) + (SELECT count(*) FROM %1$s_del)"
                        .formatted(foo)))
            .isZero();
      }
    }
    assertThat(features.write(ALICE, foo, writes).done()).isTrue();
    assertThat(features.checker().check(foo).flaws()).isEmpty();
  }

  @Test
  void aCommitOfAnotherStorageIsNotAskedAbout() {
    CommitUnknownException unknown =
        new CommitUnknownException(
            "lost", "other", "1", "2026-01-01 00:00:00+00", new IOException("reset"));

    assertThatThrownBy(() -> features.wasCommitted(unknown))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("one of the storage 'other', and this is 'store'");
  }

  /** A transaction that is under way, and somebody with days of patience. */
  private static boolean happened(Database database, Psql psql) throws SQLException {
    psql.run("BEGIN");
    CommitResolver.TransactionStart transactionStart =
        new CommitResolver.TransactionStart(
            psql.value("SELECT pg_current_xact_id()"), psql.value("SELECT current_timestamp"));
    return new CommitResolver(
            new FeatureStorage(database, new SchemaLocation("public", "store")), transactionStart)
        .wasCommitted(new StorageUnavailableException("lost"));
  }

  @Test
  void whoIsInterruptedStopsAsking() {
    FeaturesOptions patient = FeaturesOptions.defaults().withCommitPatience(Duration.ofDays(1));
    try (Psql psql = Psql.connect(url);
        Database database = Database.connect(url, patient)) {
      Thread.currentThread().interrupt();

      assertThatThrownBy(() -> happened(database, psql))
          .isInstanceOf(CommitUnknownException.class)
          .hasMessageContaining("in storage 'store'");
    } finally {
      assertThat(Thread.interrupted()).as("the thread is still told").isTrue();
    }
  }

  /** A statement may take a day here, but nobody waits for so long to hear of a commit. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aServerThatHasGoneSilentIsNotWaitedForBeyondThePatience() {
    FeaturesOptions patient =
        new FeaturesOptions(2, Duration.ofSeconds(1), Duration.ofDays(1), Duration.ofSeconds(2))
            .withCommitPatience(Duration.ofSeconds(1));
    try (Psql psql = Psql.connect(url);
        Database database = Database.connect(wire.url(url), patient)) {
      wire.fallSilent();

      assertThatThrownBy(() -> happened(database, psql)).isInstanceOf(CommitUnknownException.class);
    }
  }

  /** After a crash, an id may be given to somebody else; the status of the id is theirs. */
  @Test
  void theCommitOfSomebodyElseWithTheSameIdIsNotTakenForOurs() throws SQLException {
    features.write(ALICE, foo, creates(1));
    String xid;
    String time;
    try (Psql psql = Psql.connect(url)) {
      xid = psql.value("SELECT psql_id FROM naksha_tx ORDER BY txn DESC LIMIT 1");
      time = psql.value("SELECT ts FROM naksha_tx ORDER BY txn DESC LIMIT 1");
    }
    StorageUnavailableException lost = new StorageUnavailableException("lost");
    try (Database database = Database.connect(url, FeaturesOptions.defaults())) {
      FeatureStorage there = new FeatureStorage(database, new SchemaLocation("public", "store"));
      assertThat(
              new CommitResolver(there, new CommitResolver.TransactionStart(xid, time))
                  .wasCommitted(lost))
          .isTrue();
      assertThat(
              new CommitResolver(
                      there, new CommitResolver.TransactionStart(xid, "2026-01-01 00:00:00+00"))
                  .wasCommitted(lost))
          .as("another of the same id")
          .isFalse();
      assertThat(
              new CommitResolver(there, new CommitResolver.TransactionStart("4000000000", time))
                  .wasCommitted(lost))
          .as("an id that is still to come")
          .isFalse();
    }
  }
}
