// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureFilter;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The prefix of ids is taken off once, whoever writes: case F8 and resolution 32. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdPrefixTest {

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

  private static String insert(String c, String id) {
    return "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"%s\"}')".formatted(c, id);
  }

  /** Of sixteen ids some belong into another leaf without their prefix, and some don't. */
  @Test
  void f8AnIdThatHasThePrefixTwiceIsRefusedWhicheverLeafItBelongsTo() throws SQLException {
    String c = storage.create(CollectionOptions.none().idPrefix("u:"));
    for (int i = 0; i < 16; i++) {
      String id = "u:u:" + i;
      assertThatThrownBy(() -> psql.as("app", "me", insert(c, id)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"))
          .hasMessageContaining("'%s' is only the prefix of the collection, or has it twice", id);
      Write create = Write.create(Feature.parse("{\"id\": \"%s\"}".formatted(id)));
      BatchResult result = storage.features.write(ALICE, c, List.of(create, Write.delete(id)));
      assertThat(result.rows()).hasOnlyElementsOfType(RowResult.Invalid.class);
    }

    assertThat(psql.number("SELECT count(*) FROM " + c)).isZero();
  }

  @Test
  void f8AnUpsertInSqlMeetsTheFeatureItself() throws SQLException {
    String c = storage.create(CollectionOptions.none().unpartitioned().idPrefix("u:"));
    String upsert =
        " ON CONFLICT (((jsondata->>'id')) COLLATE \"C\") DO UPDATE SET jsondata = excluded.jsondata";
    psql.as("app", "me", insert(c, "u:7"), insert(c, "u:7") + upsert);

    assertThat(psql.values("SELECT jsondata->>'id' FROM " + c)).containsExactly("7");
    assertThat(psql.xyz(c).get(0).path("version").intValue()).isEqualTo(2);
  }

  private List<String> found(FeatureQuery.Builder query) {
    return storage.features.read(r -> r.query(query.build())).features().stream()
        .map(feature -> feature.id().orElseThrow())
        .toList();
  }

  private void fill(String c) {
    List<Write> writes =
        Stream.of("u:1", "u:2", "3")
            .map(id -> Write.create(Feature.parse("{\"id\": \"%s\"}".formatted(id))))
            .toList();
    assertThat(storage.features.write(ALICE, c, writes).done()).isTrue();
  }

  @Test
  void f8AQueryMeansTheFeatureWithThePrefixOrWithoutIt() {
    String c = storage.create(CollectionOptions.none().idPrefix("u:"));
    fill(c);

    assertThat(found(FeatureQuery.from(c).ids(List.of("u:1", "2", "u:u:3"))))
        .containsExactly("1", "2");
    for (String conditions :
        List.of("f.id=1", "f.id='u:1'", "f.id='u:1','u:9'", "f.id!='u:2','u:3'")) {
      assertThat(found(FeatureQuery.from(c).where(FeatureFilter.parse(conditions))))
          .as(conditions)
          .containsExactly("1");
    }
    assertThat(found(FeatureQuery.from(c).where(FeatureFilter.lt(FeatureField.ID, "u:2"))))
        .containsExactly("1");
    assertThat(found(FeatureQuery.from(c).where(FeatureFilter.startsWith(FeatureField.ID, "u:2"))))
        .containsExactly("2");
    assertThat(found(FeatureQuery.from(c).where(FeatureFilter.contains(FeatureField.ID, "u:3"))))
        .containsExactly("3");
  }

  @Test
  void f8EachCollectionOfAQueryHasItsOwnPrefix() {
    String with = storage.create(CollectionOptions.none().idPrefix("u:"));
    String without = storage.create(CollectionOptions.none());
    fill(with);
    fill(without);

    assertThat(found(FeatureQuery.from(with, without).where(FeatureFilter.parse("f.id='u:1'"))))
        .containsExactly("1", "u:1");
    assertThat(found(FeatureQuery.from(with, without).ids(List.of("1", "u:2", "3"))))
        .containsExactly("1", "2", "3", "3", "u:2");
  }

  @Test
  void f8EveryReadByIdTakesThePrefixOff() {
    String c = storage.create(CollectionOptions.none().idPrefix("u:"));
    fill(c);
    Txn made = storage.features.log().last(1).get(0).txn();
    storage.features.write(ALICE, c, List.of(Write.delete("u:2")));

    storage.features.read(
        r -> {
          assertThat(r.byId(c, "u:1")).isPresent();
          assertThat(r.byIds(c, List.of("u:1", "3"))).hasSize(2);
          assertThat(r.byIdsAt(c, List.of("u:2"), made)).hasSize(1);
          assertThat(r.deleted(c, List.of("u:2"))).hasSize(1);
          assertThat(r.versions(c, "u:2")).hasSize(2);
          assertThat(r.activity(c, "u:2")).hasSize(2);
          return r.each(FeatureQuery.from(c).ids(List.of("u:3")).build(), feature -> {});
        });
  }

  /** One of sixteen ids begins with each digit. */
  @Test
  void idsThatAreMadeUpDoNotHaveThePrefix() throws SQLException {
    String c = storage.create(CollectionOptions.none().unpartitioned().idPrefix("a"));
    psql.as(
        "app",
        "me",
        "INSERT INTO %s (jsondata) SELECT '{}' FROM generate_series(1, 200)".formatted(c));
    List<Write> writes =
        Stream.generate(() -> Write.create(Feature.parse("{}"))).limit(200).toList();
    assertThat(storage.features.write(ALICE, c, writes).done()).isTrue();

    assertThat(psql.number("SELECT count(*) FROM " + c)).isEqualTo(400);
    assertThat(
            psql.values(
                "SELECT jsondata->>'id' FROM %s WHERE jsondata->>'id' LIKE 'a%%'".formatted(c)))
        .isEmpty();
  }
}
