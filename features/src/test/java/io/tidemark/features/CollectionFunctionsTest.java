// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions that are made for each collection. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CollectionFunctionsTest {

  private TestStorage storage;
  private Psql psql;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    psql = storage.psql;
  }

  @AfterAll
  void close() {
    storage.close();
  }

  @Test
  void aCollectionCanNotTakeTheNamesOfTheStorage() {
    assertThatThrownBy(() -> psql.as("app", "me", "SELECT naksha_collection_create('naksha')"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"))
        .hasMessageContaining("'naksha' is reserved");
  }

  @Test
  void b21C17ToC20E4CollectionsByTheirFunctions() throws SQLException {
    String id = "by_sql";
    psql.as("app", "me", "SELECT naksha_collection_create('by_sql', '{\"partitioned\": false}')");
    psql.as("app", "me", "INSERT INTO by_sql (jsondata) VALUES ('{\"id\": \"x\"}')");

    refused("N0001", "SELECT naksha_collection_create('by_sql')");
    refused("22023", "SELECT naksha_collection_update('by_sql', '{\"partitioned\": true}')");
    refused("22023", "SELECT naksha_collection_create('1a')");
    psql.as("app", "me", "SELECT naksha_collection_disable_history('by_sql')");
    psql.as("app", "me", "SELECT naksha_collection_enable_history('by_sql')");
    psql.as("app", "me", "SELECT naksha_collection_delete('by_sql')");
    assertThat(psql.values("SELECT c->>'id' FROM naksha_collections() c")).doesNotContain(id);
    refused("N0002", "UPDATE by_sql SET jsondata = jsondata");
    psql.as("app", "me", "SELECT naksha_collection_restore('by_sql')");
    assertThat(psql.xyz(id)).hasSize(1);
    psql.as("app", "me", "SELECT naksha_collection_purge('by_sql')");

    assertThat(psql.values("SELECT relname FROM pg_class WHERE relname ~ '^by_sql'")).isEmpty();
    assertThat(psql.values("SELECT action FROM naksha_tx WHERE id = 'by_sql' ORDER BY txn, i"))
        .containsExactly(
            "MODIFY_COLLECTION",
            "MODIFY_FEATURES",
            "MODIFY_COLLECTION",
            "MODIFY_COLLECTION",
            "MODIFY_COLLECTION",
            "MODIFY_COLLECTION",
            "MODIFY_COLLECTION");
  }

  private void refused(String state, String sql) {
    assertThatThrownBy(() -> psql.as("app", "me", sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"id\": \"Bad Name\"",
        "\"id\": \"a_hst_2026_01_01\"",
        "\"type\": \"x\"",
        "\"deleted\": true",
        "\"createdAt\": \"x\"",
        "\"estimatedFeatureCount\": \"x\""
      })
  void anOptionCanNotSayWhatIsNoOption(String option) throws SQLException {
    String create = "SELECT naksha_collection_create('odd', '{%s}')".formatted(option);
    assertThatThrownBy(() -> psql.as("app", "me", create))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"))
        .hasMessageContaining("the options of collection 'odd' can't be taken: there is no option");
    assertThat(
            psql.number("SELECT count(*) FROM naksha_collections(true) c WHERE c->>'id' = 'odd'"))
        .isZero();
  }

  @Test
  void aCollectionCanNotBeCalledLikeATypeInItsSchema() {
    assertThatThrownBy(() -> psql.as("app", "me", "SELECT naksha_collection_create('geometry')"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"))
        .hasMessageContaining("needs a table 'geometry', and there is a table or type");
  }

  @Test
  void aPrefixThatIdsBeginWithAlreadyCanNotBeChosenLater() throws SQLException {
    String c = storage.create(CollectionOptions.none());
    storage.put(c, "{\"id\": \"abc\"}", "{\"id\": \"gone1\"}");
    storage.features.write(ALICE, c, List.of(Write.delete("gone1")));

    for (String prefix : List.of("a", "gone")) {
      assertThatThrownBy(() -> psql.as("app", "me", prefixed(c, prefix)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"))
          .hasMessageContaining("has features whose ids begin with '" + prefix + "'");
    }
    psql.as("app", "me", prefixed(c, "b"), prefixed(c, "urn:"), prefixed(c, "urn:"));
    storage.put(c, "{\"id\": \"urn:x\"}");
    List<Feature> found = storage.features.read(r -> r.byIds(c, List.of("abc", "x")));
    assertThat(found).hasSize(2);
  }

  private static String prefixed(String c, String prefix) {
    return "SELECT naksha_collection_update('%s', '{\"idPrefix\": \"%s\"}')".formatted(c, prefix);
  }

  @Test
  void aPurgeDropsItsOwnFunctionsAndNoOthersOfTheSameName() throws SQLException {
    String c = storage.small();
    psql.run(
        "CREATE FUNCTION %s_lock(int) RETURNS int LANGUAGE sql AS 'SELECT $1'".formatted(c),
        "CREATE FUNCTION %s_before(int) RETURNS int LANGUAGE sql AS 'SELECT $1'".formatted(c));

    psql.as("app", "me", "SELECT naksha_collection_purge('%s')".formatted(c));

    assertThat(
            psql.values(
                "SELECT oid::regprocedure FROM pg_proc WHERE proname ~ '^%s_' ORDER BY proname"
                    .formatted(c)))
        .containsExactly(c + "_before(integer)", c + "_lock(integer)");
  }

  @Test
  void namesAndGuidsAreReadAlikeInASessionThatReadsBackslashesOtherwise() throws SQLException {
    try (Psql old = Psql.connect(storage.url)) {
      old.run("SET standard_conforming_strings = off", "SET escape_string_warning = off");

      assertThat(old.value("SELECT collection FROM naksha_guid('store:roads:2023:1:30:7')"))
          .isEqualTo("roads");
      String create = "SELECT naksha_collection_create('foo_hst_2020_01_01')";
      assertThatThrownBy(() -> old.as("app", "me", create)).hasMessageContaining("is reserved");
    }
  }

  @Test
  void anUpgradeMakesAllFunctionsOfCollectionsAnew() throws SQLException {
    String c = storage.small();
    for (String other : List.of("lock(text[])", "remove(text[], boolean)")) {
      psql.run(
          "DO $$ BEGIN EXECUTE replace(pg_get_functiondef('%s_%s'::regprocedure), 'BEGIN',"
                  .formatted(c, other)
              + " 'BEGIN RAISE EXCEPTION ''old'';'); END $$");
    }
    assertThatThrownBy(() -> storage.features.write(ALICE, c, List.of(Write.delete("a"))))
        .hasMessageContaining("old");

    upgrade();

    putAndDelete(c);
  }

  @Test
  void anUpgradeChangesWhatAFunctionOfACollectionReturns() throws SQLException {
    String c = storage.small();
    psql.run(
        "DROP ROLE IF EXISTS holder",
        "DROP ROLE IF EXISTS writer",
        "CREATE ROLE holder",
        "CREATE ROLE writer",
        "GRANT CREATE ON SCHEMA public TO holder");
    for (String made :
        List.of(
            "add(rows bigint[], geos text[], features text[])",
            "replace(ids text[], rows bigint[], geos text[], features text[])",
            "remove(ids text[], locked boolean)",
            "lock(ids text[])")) {
      String function = c + "_" + made;
      psql.run(
          "DROP FUNCTION " + function,
          "CREATE FUNCTION " + function + " RETURNS void LANGUAGE sql AS ''",
          "REVOKE ALL ON FUNCTION " + function + " FROM PUBLIC",
          "GRANT EXECUTE ON FUNCTION " + function + " TO writer",
          "ALTER FUNCTION " + function + " OWNER TO holder");
    }
    String rights =
        "SELECT proname || ' ' || proowner::regrole || ' ' || proacl::text FROM pg_proc"
            + " WHERE proname ~ '^%s_(add|lock|remove|replace)$' ORDER BY proname".formatted(c);
    List<String> before = psql.values(rights);

    upgrade();

    assertThat(psql.values(rights)).hasSize(4).isEqualTo(before);
    putAndDelete(c);
  }

  /** What a release ends its upgrade with. */
  private void upgrade() throws SQLException {
    psql.run("SELECT naksha_collection_functions(c) FROM naksha_collections(true) c");
  }

  private void putAndDelete(String c) {
    storage.put(c, "{\"id\": \"a\"}");
    BatchResult deleted = storage.features.write(ALICE, c, List.of(Write.delete("a")));
    assertThat(deleted.done()).isTrue();
  }
}
