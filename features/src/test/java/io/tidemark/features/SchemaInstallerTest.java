// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.features.write.Transaction;
import io.tidemark.testkit.process.ChildJvm;
import io.tidemark.testkit.process.ParentLink;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Installing a storage, again and by several: case F11, and databases that can't be used. */
@ExtendWith(ServerExtension.class)
class SchemaInstallerTest {

  private final PostgresServer server;

  SchemaInstallerTest(PostgresServer server) {
    this.server = server;
  }

  @Test
  void f11TwoProcessesOpenAnEmptyDatabaseAtOnce() throws SQLException {
    String url = server.createDatabase();
    try (ChildJvm one = ChildJvm.start(Child.class, url).expectLine("ready");
        ChildJvm two = ChildJvm.start(Child.class, url).expectLine("ready");
        Psql psql = Psql.connect(url)) {
      one.send("go");
      two.send("go");
      one.expectLine("open");
      two.expectLine("open");

      assertThat(psql.values("SELECT version FROM naksha_schema ORDER BY version"))
          .startsWith("1", "2", "3", "4")
          .doesNotHaveDuplicates();
    }
  }

  /** Opens the storage when it is told to. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      ParentLink parent = new ParentLink();
      parent.awaitStart();
      try (Features unused = Features.open(arguments[0], "store")) {
        parent.printLine("open");
      }
    }
  }

  @Test
  void anInstallationThatFailsInTheMiddleLeavesNothingAndTheNextOneIsWhole() throws SQLException {
    String url = server.createDatabase();
    try (Psql psql = Psql.connect(url)) {
      psql.run("CREATE TABLE naksha_heads (somebody text)"); // the fifth file makes one, too
      String made = "SELECT relname FROM pg_class WHERE relname LIKE 'naksha%'";

      assertThatThrownBy(() -> Features.open(url, "store"))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("relation \"naksha_heads\" already exists");
      assertThat(psql.values(made)).containsExactly("naksha_heads");

      psql.run("DROP TABLE naksha_heads");
      try (Features features = Features.open(url, "store")) {
        features.transact(
            TestStorage.ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
        assertThat(features.log().sequence()).isEqualTo(1);
      }
    }
  }

  @Test
  void f11SeveralOpenAnEmptyDatabaseAtOnce() throws SQLException {
    String url = server.createDatabase();

    List<CompletableFuture<Features>> opening =
        Stream.generate(() -> CompletableFuture.supplyAsync(() -> Features.open(url, "store")))
            .limit(4)
            .toList();

    opening.forEach(features -> features.join().close());
    try (Psql psql = Psql.connect(url)) {
      assertThat(psql.values("SELECT version FROM naksha_schema ORDER BY version"))
          .startsWith("1", "2", "3", "4")
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aStorageOfANewerReleaseIsRefused() throws SQLException {
    String url = server.createDatabase();
    Features.open(url, "store").close();
    try (Psql psql = Psql.connect(url)) {
      psql.run(
          "INSERT INTO naksha_schema (version, name, storage, checksum)"
              + " VALUES (999, 'later', 'store', '')");
    }

    assertThatThrownBy(() -> Features.open(url, "store"))
        .isInstanceOf(StorageUnusableException.class)
        .hasMessageContaining("is of version 999, this release knows up to ");
  }

  @Test
  void aStorageThatOtherSqlHasMadeIsRefusedAndNotUpgraded() throws SQLException {
    String url = server.createDatabase();
    Features.open(url, "store").close();
    try (Psql psql = Psql.connect(url)) {
      psql.run("UPDATE naksha_schema SET checksum = md5(checksum) WHERE version = 3");
      assertRefused(url, "was made with another 003-collections.sql");

      psql.run("DELETE FROM naksha_schema WHERE version > 3");
      assertRefused(url, "was made with another 003-collections.sql");
      assertThat(psql.number("SELECT count(*) FROM naksha_schema")).isEqualTo(3);
    }
  }

  @Test
  void aStorageThatNotedNoChecksumsIsRefusedAlsoToWhoOnlyReads() throws SQLException {
    String url = server.createDatabase();
    Features.open(url, "store").close();
    try (Psql psql = Psql.connect(url)) {
      psql.run(
          "ALTER TABLE naksha_schema DROP COLUMN checksum",
          "DROP ROLE IF EXISTS looker",
          "CREATE ROLE looker LOGIN PASSWORD 'p'",
          "GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker");
    }

    assertRefused(url, "was made with another 001-transactions.sql");
    assertRefused(
        url.replaceAll("user=.*", "user=looker&password=p"),
        "was made with another 001-transactions.sql");
  }

  private static void assertRefused(String url, String why) {
    assertThatThrownBy(() -> Features.open(url, "store"))
        .isInstanceOf(StorageUnusableException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("go on with that build, or export its features");
  }

  @Test
  void aSchemaThatWouldHaveToBeQuotedIsRefused() throws SQLException {
    String url = server.createDatabase();
    try (Psql psql = Psql.connect(url)) {
      for (String name : List.of("user", "order", "Big", "a-b")) {
        psql.run("CREATE SCHEMA \"" + name + '"');

        assertThatThrownBy(() -> Features.open(url + "&currentSchema=\"" + name + '"', "store"))
            .isInstanceOf(StorageUnusableException.class)
            .hasMessageContaining("can't be kept in the schema '%s'".formatted(name))
            .hasMessageContaining("no keyword of SQL");
      }
    }
  }

  @Test
  void aStorageKeepsTheIdItGotFirst() {
    String url = server.createDatabase();
    Features.open(url, "store").close();

    assertThatThrownBy(() -> Features.open(url, "other"))
        .isInstanceOf(StorageUnusableException.class)
        .hasMessageContaining("holds the storage 'store', not 'other'");
    assertThatThrownBy(() -> Features.open(url, "a:b"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'a:b' can't be the id of a storage");
  }

  @Test
  void twoStoragesLiveInSchemasOfTheirOwn() throws SQLException {
    String url = server.createDatabase();
    try (Psql psql = Psql.connect(url)) {
      psql.run("CREATE SCHEMA one", "CREATE SCHEMA two");
    }
    try (Features one = Features.open(url + "&currentSchema=one,public", "one");
        Features two = Features.open(url + "&currentSchema=two,public", "two")) {
      one.transact(
          TestStorage.ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));

      assertThat(
              one.<List<CollectionInfo>>transact(TestStorage.ALICE, tx -> tx.collections().list()))
          .hasSize(1);
      assertThat(
              two.<List<CollectionInfo>>transact(TestStorage.ALICE, tx -> tx.collections().list()))
          .isEmpty();
    }
  }

  @Test
  void whoLacksTheRightsIsToldSo() throws SQLException {
    String url = server.createDatabase();
    try (Psql psql = Psql.connect(url)) {
      psql.run("DROP ROLE IF EXISTS nobody_much", "CREATE ROLE nobody_much LOGIN PASSWORD 'p'");
    }
    String theirs = url.replaceAll("user=.*", "user=nobody_much&password=p");

    assertThatThrownBy(() -> Features.open(theirs, "store"))
        .isInstanceOf(StorageUnusableException.class)
        .hasMessageContaining("permission denied")
        .hasMessageContaining("grant the rights");
  }

  @Test
  void aServerThatIsNotThereIsReportedWithoutThePassword() {
    String url = "jdbc:postgresql://127.0.0.1:1/none?user=u&password=secret-word";

    assertThatThrownBy(() -> Features.open(url, "store"))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("can't be reached")
        .hasMessageNotContaining("secret-word");
  }

  @Test
  void thereAreNoMoreConnectionsThanAllowed() throws SQLException {
    String url = server.createDatabase();
    FeaturesOptions options =
        new FeaturesOptions(
            1, Duration.ofSeconds(4), Duration.ofSeconds(60), Duration.ofSeconds(30));

    try (Features features = Features.open(url, "store", options);
        Transaction tx = features.begin(TestStorage.ALICE);
        Psql psql = Psql.connect(url)) {
      assertThat(tx.txn().day()).isNotNull();
      assertThatThrownBy(() -> features.begin(TestStorage.ALICE))
          .isInstanceOf(StorageUnavailableException.class)
          .hasMessageContaining("no connection to PostgreSQL is free");
      assertThat(
              psql.number(
                  "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tidemark'"
                      + " AND datname = current_database()"))
          .isEqualTo(1);
    }
  }
}
