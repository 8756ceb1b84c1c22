// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.collection.CollectionCatalog;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.collection.CreationResult;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of collections: cases C17 to C20, B21, E4 and F7. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CollectionsTest {

  private static final CollectionOptions SMALL = CollectionOptions.none().unpartitioned();

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

  private <T> T with(Function<CollectionCatalog, T> work) {
    return storage.features.transact(ALICE, tx -> work.apply(tx.collections()));
  }

  private CreationResult create(String id, CollectionOptions options) {
    return with(c -> c.create(id, options));
  }

  private CollectionInfo update(String id, CollectionOptions options) {
    return with(c -> c.update(id, options));
  }

  private Optional<CollectionInfo> delete(String id) {
    return with(c -> c.delete(id));
  }

  private Optional<CollectionInfo> purge(String id) {
    return with(c -> c.purge(id));
  }

  private CollectionInfo info(String id) {
    return with(c -> c.info(id));
  }

  private List<CollectionInfo> list() {
    return with(CollectionCatalog::list);
  }

  @Test
  void c17ASecondCollectionByTheSameIdIsAConflict() throws SQLException {
    assertThat(create("twice", SMALL)).isInstanceOf(CreationResult.Created.class);
    assertThat(create("twice", SMALL.maxAge(3)))
        .isInstanceOfSatisfying(
            CreationResult.Exists.class, e -> assertThat(e.info().maxAge()).isEqualTo(36500));
    assertThatThrownBy(() -> psql.run("SELECT naksha_collection_create('twice')"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("N0001"));
    assertThat(psql.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")).isZero();
  }

  @Test
  void c18ADeletedCollectionIsHiddenUntilItIsRestored() throws SQLException {
    create("gone", SMALL);
    psql.as("a", "b", "INSERT INTO gone (jsondata) VALUES ('{\"id\": \"x\"}')");

    assertThat(delete("gone")).hasValueSatisfying(i -> assertThat(i.deleted()).isTrue());
    assertThat(delete("gone")).isEmpty();
    assertThat(list()).extracting(CollectionInfo::id).doesNotContain("gone");
    assertThat(this.<List<CollectionInfo>>with(CollectionCatalog::listWithDeleted))
        .extracting(CollectionInfo::id)
        .contains("gone");
    for (String write :
        List.of(
            "INSERT INTO gone (jsondata) VALUES ('{}')",
            "UPDATE gone SET jsondata = jsondata",
            "DELETE FROM gone")) {
      assertThatThrownBy(() -> psql.as("a", "b", write))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("N0002"));
    }
    assertThat(create("gone", SMALL)).isInstanceOf(CreationResult.Exists.class);
    assertThatThrownBy(() -> update("gone", SMALL))
        .hasMessageContaining("is in deleted state; restore it first");

    assertThat(this.<CollectionInfo>with(c -> c.restore("gone")).deleted()).isFalse();
    psql.as("a", "b", "UPDATE gone SET jsondata = jsondata");
    assertThat(psql.xyz("gone")).hasSize(1);
  }

  @Test
  void c18PurgingTouchesNothingOfAnother() throws SQLException {
    create("pur", CollectionOptions.none());
    for (String id : List.of("purbar", "pur_x", "pur:a")) {
      create(id, SMALL);
    }
    psql.as("a", "b", "INSERT INTO purbar (jsondata) VALUES ('{\"id\": \"x\"}')");
    psql.as("a", "b", "UPDATE purbar SET jsondata = jsondata");

    assertThat(purge("pur")).isPresent();
    assertThat(purge("pur")).isEmpty();

    String left =
        "SELECT count(*) FROM %s WHERE %s ~"
            + " '^pur(_(hst|del|meta|i_seq|before|insert|[0-9a-f]$)|$)'";
    assertThat(psql.number(left.formatted("pg_class", "relname"))).isZero();
    assertThat(psql.number(left.formatted("pg_proc", "proname"))).isZero();
    assertThat(list()).extracting(CollectionInfo::id).contains("purbar", "pur_x", "pur:a");
    assertThat(psql.xyz("purbar_hst")).hasSize(1);
    assertThat(create("pur", SMALL)).isInstanceOf(CreationResult.Created.class);
  }

  @Test
  void c19TheShapeOfACollectionCantBeChanged() {
    create("shape", CollectionOptions.none());

    assertThatThrownBy(() -> update("shape", SMALL))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("partitioned and pointsOnly are chosen when it is created");
    assertThatThrownBy(() -> update("shape", CollectionOptions.none().pointsOnly()))
        .isInstanceOf(InvalidRequestException.class);
    assertThat(info("shape").partitioned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Foo", "1a", "foo_hst", "foo_del", "foo_meta", "foo_hst_2023_01_02", "foo_i_seq",
        "abcdefghijklmnopqrstuvwxyz0123456", "naksha_x", "txn", "", "spatial_ref_sys", "a\"b", "a;b"
      })
  void c20NamesThatAreRefused(String id) {
    assertThatThrownBy(() -> create(id, SMALL)).isInstanceOf(InvalidRequestException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "abcdefghijklmnopqrstuvwxyz012345", "a-b:c_d"})
  void c20NamesThatAreTaken(String id) throws SQLException {
    create(id, CollectionOptions.none());

    psql.as("a", "b", "INSERT INTO \"%s\" (jsondata) VALUES ('{}')".formatted(id));
    psql.as("a", "b", "UPDATE \"%s\" SET jsondata = jsondata".formatted(id));
    psql.as("a", "b", "DELETE FROM \"%s\"".formatted(id));

    assertThat(Guid.parse(psql.xyz(id + "_del").get(0).get("uuid").textValue()).collection())
        .isEqualTo(id);
    assertThat(purge(id)).isPresent();
  }

  @Test
  void aStateOfAPurgedCollectionIsNotTakenForOneOfTheNextOfThatName() {
    Write write = Write.create(Feature.parse("{\"id\": \"f\"}"));
    List<String> uuids = new ArrayList<>();
    for (int life = 1; life <= 3; life++) {
      create("again", SMALL);
      if (life != 2) {
        RowResult made = storage.features.write(ALICE, "again", List.of(write)).rows().get(0);
        uuids.add(
            ((RowResult.Created) made).state().xyz().flatMap(XyzNamespace::uuid).orElseThrow());
      }
      if (life < 3) {
        purge("again");
      }
    }

    assertThat(uuids).hasSize(2).doesNotHaveDuplicates();
    Write expecting = new Write.Delete("f", uuids.get(0));
    assertThat(storage.features.write(ALICE, "again", List.of(expecting)).rows().get(0))
        .isInstanceOf(RowResult.Conflict.class);
  }

  @Test
  void aLeafAndACollectionDontShareAName() {
    create("lea", CollectionOptions.none());
    assertThatThrownBy(() -> create("lea_f", SMALL))
        .hasMessageContaining("needs a table 'lea_f', and there is a table or type called so");
    create("lee_f", SMALL);
    assertThatThrownBy(() -> create("lee", CollectionOptions.none()))
        .hasMessageContaining("needs a table 'lee_f', and there is a table or type called so");
  }

  @Test
  void b21E4EachChangeIsInTheLog() throws SQLException {
    create("logged", SMALL);
    update("logged", CollectionOptions.none().withoutHistory());
    update("logged", CollectionOptions.none().withHistory());
    update("logged", CollectionOptions.none().maxAge(7));
    delete("logged");
    purge("logged");

    assertThat(
            psql.values(
                "SELECT action || ' ' || app_id || ' ' || author FROM naksha_tx WHERE id = 'logged'"))
        .hasSize(6)
        .containsOnly("MODIFY_COLLECTION app1 alice");
  }

  @Test
  void f7TheCommentOfTheTableTellsWhatTheCollectionIs() throws SQLException {
    create("told", SMALL.idPrefix("urn:").author("bob"));
    update("told", CollectionOptions.none().noAuthor().purgingDeleted());

    JsonNode comment = GeoJson.object(psql.value("SELECT obj_description('told'::regclass)"));

    assertThat(comment.get("id").textValue()).isEqualTo("told");
    assertThat(comment.get("maxAge").intValue()).isEqualTo(36500);
    assertThat(comment.get("historyEnabled").booleanValue()).isTrue();
    assertThat(comment.get("optimalPartitioning").booleanValue()).isFalse();
    CollectionInfo info = info("told");
    assertThat(info.idPrefix()).hasValue("urn:");
    assertThat(info.author()).isEmpty();
    assertThat(info.autoPurge()).isTrue();
    assertThat(info.historyEnabled()).isTrue();
  }

  @Test
  void theEstimateIsUnknownUntilSomebodyHasLooked() throws SQLException {
    create("counted", CollectionOptions.none());
    assertThat(info("counted").estimatedFeatureCount()).isEmpty();

    psql.as(
        "a",
        "b",
        "INSERT INTO counted (jsondata) SELECT jsonb_build_object('id', n) FROM generate_series(1, 99) n");
    psql.run("ANALYZE counted");

    assertThat(info("counted").estimatedFeatureCount()).hasValue(99);
  }

  @Test
  void badOptionsAreRefused() {
    assertThatThrownBy(() -> create("bad", SMALL.maxAge(-1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("maxAge is -1");
    assertThatThrownBy(() -> create("bad", SMALL.idPrefix("")))
        .isInstanceOf(InvalidRequestException.class);
    assertThatThrownBy(() -> psql.run("SELECT naksha_collection_create('bad', '{\"colour\": 1}')"))
        .hasMessageContaining("there is no option colour");
    assertThatThrownBy(() -> info("nowhere"))
        .isInstanceOf(CollectionNotFoundException.class)
        .hasMessage("there is no collection 'nowhere'; create it first");
  }
}
