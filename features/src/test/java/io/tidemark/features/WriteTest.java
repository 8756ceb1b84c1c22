// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.view.BatchJson;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.ResultDetail;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.RowResult.Conflict;
import io.tidemark.features.write.RowResult.Created;
import io.tidemark.features.write.RowResult.Deleted;
import io.tidemark.features.write.RowResult.Invalid;
import io.tidemark.features.write.RowResult.Missing;
import io.tidemark.features.write.RowResult.Purged;
import io.tidemark.features.write.RowResult.Retained;
import io.tidemark.features.write.RowResult.Updated;
import io.tidemark.features.write.Write;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Writing from Java, and what is answered: cases C1 to C18 and F8. */
class WriteTest extends WriteTestBase {

  @Test
  void c1ToC3WhatCantBeDoneIsToldWithTheCurrentState() throws SQLException {
    String foo = withTheFeature();
    Feature other = Feature.parse("{\"id\": \"TheFeature\"}");

    List<RowResult> rows =
        write(
            foo,
            Write.create(other),
            new Write.Update(other, "invalid_UUID"),
            Write.update(feature("nx", "t")));

    assertThat(rows.get(0))
        .isInstanceOfSatisfying(
            Conflict.class,
            c -> {
              assertThat(c.message())
                  .isEqualTo("The feature with the id 'TheFeature' does exist already");
              assertThat(c.actual().orElseThrow().geoJson()).contains("[5.0,6.0,2.0]");
            });
    assertThat(((Conflict) rows.get(1)).message())
        .startsWith("The feature 'TheFeature' uuid 'invalid_UUID' does not match");
    assertThat(((Missing) rows.get(2)).message())
        .isEqualTo("Operation failed, no feature with the id 'nx' exists");
    assertThat(psql.value("SELECT st_asewkt(geo) FROM " + foo)).isEqualTo("SRID=4326;POINT(5 6 2)");
  }

  /** Decision 7: a date in a GUID may be padded. */
  @Test
  void anExpectedStateIsMeantInEitherForm() throws SQLException {
    String foo = storage.small();
    storage.put(
        foo,
        Stream.of("a", "b", "c", "d", "e")
            .map("{\"id\": \"%s\"}"::formatted)
            .toArray(String[]::new));
    write(foo, Write.delete("e"));
    for (String table : List.of(foo, foo + "_del")) {
      psql.run(
          "SET session_replication_role = replica",
          ("UPDATE %s SET jsondata = jsonb_set(jsondata, '{properties,@ns:com:here:xyz,uuid}',"
                  + " to_jsonb('store:x:2023:1:3:' || ascii(jsondata->>'id')))")
              .formatted(table),
          "SET session_replication_role = origin");
    }

    List<RowResult> others =
        write(
            foo,
            new Write.Update(Feature.parse("{\"id\": \"a\"}"), "store:x:2023:01:30:97"),
            new Write.Purge("e", "store:x:2023:01:30:101"));
    List<RowResult> same =
        write(
            foo,
            new Write.Update(Feature.parse("{\"id\": \"a\"}"), "store:x:2023:01:03:97"),
            new Write.Upsert(Feature.parse("{\"id\": \"b\"}"), "store:x:2023:01:03:98"),
            new Write.Delete("c", "store:x:2023:01:03:99"),
            new Write.Purge("d", "store:x:2023:01:03:100"),
            new Write.Purge("e", "store:x:2023:01:03:101"));

    assertThat(others).hasOnlyElementsOfType(Conflict.class);
    assertThat(same)
        .extracting(row -> (Object) row.getClass())
        .containsExactly(Updated.class, Updated.class, Deleted.class, Purged.class, Purged.class);
  }

  @Test
  void c4AnUpsertCreatesOrUpdatesAndReplacesTags() {
    String foo = storage.create(CollectionOptions.none());

    RowResult created = write(foo, Write.upsert(feature("a", "one"))).get(0);
    RowResult updated = write(foo, Write.upsert(feature("a", "two"))).get(0);

    assertThat(created).isInstanceOf(Created.class);
    assertThat(updated).isInstanceOf(Updated.class);
    assertThat(xyz(updated).tags()).containsExactly("two");
    assertThat(xyz(updated).version()).isEqualTo(2);
    assertThat(xyz(updated).puuid()).isEqualTo(xyz(created).uuid());
    assertThat(xyz(updated).createdAt()).isEqualTo(xyz(created).createdAt());
  }

  @Test
  void c5OneThatCantBeDoneUndoesTheWholeBatchUnlessTheCallerWantsTheRest() throws SQLException {
    String foo = withTheFeature();
    List<Write> writes =
        List.of(Write.create(feature("123", "t")), Write.create(feature("TheFeature", "t")));

    BatchResult result = storage.features.write(ALICE, foo, writes);

    assertThat(result.done()).isFalse();
    assertThat(result.rows().get(0)).isInstanceOf(Created.class);
    assertThat(result.firstProblem())
        .hasValueSatisfying(p -> assertThat(p.id()).isEqualTo("TheFeature"));
    assertThat(psql.xyz(foo)).hasSize(1);
    write(foo, writes.toArray(new Write[0]));
    assertThat(psql.xyz(foo)).hasSize(2);
  }

  @Test
  void c6ADeletedFeatureIsToldAsItWasStored() throws SQLException {
    String foo = withTheFeature();

    RowResult row = write(foo, Write.delete("TheFeature")).get(0);

    assertThat(xyz(row).action()).isEqualTo("DELETE");
    assertThat(xyz(row).version()).isEqualTo(2);
    assertThat(((Deleted) row).state().orElseThrow().geoJson()).contains("[5.0,6.0,2.0]");
    assertThat(psql.xyz(foo + "_hst")).hasSize(2);
    assertThat(psql.xyz(foo + "_del").get(0).get("uuid").textValue())
        .isEqualTo(xyz(row).uuid().orElseThrow());
  }

  @Test
  void c9C10APurgeLeavesNoDeletionCopy() throws SQLException {
    String foo = withTheFeature();

    // One answer for both steps: purged, with the state of the deletion that came first.
    RowResult purged = write(foo, Write.purge("TheFeature")).get(0);
    assertThat(purged).isInstanceOf(Purged.class);
    assertThat(xyz(purged).action()).isEqualTo("DELETE");
    assertThat(psql.xyz(foo + "_del")).isEmpty();
    assertThat(psql.xyz(foo + "_hst"))
        .extracting(x -> x.get("action").textValue())
        .containsExactly("CREATE", "DELETE");
    assertThat(write(foo, Write.purge("TheFeature")).get(0)).isInstanceOf(Retained.class);

    write(foo, Write.create(feature("b", "t")));
    write(foo, Write.delete("b"));
    assertThat(write(foo, new Write.Purge("b", "wrong")).get(0)).isInstanceOf(Conflict.class);
    assertThat(xyz(write(foo, Write.purge("b")).get(0)).action()).isEqualTo("DELETE");
    assertThat(write(foo, Write.purge("b")).get(0)).isInstanceOf(Retained.class);
  }

  @Test
  void c11C18WhoWritesToNoCollectionIsTold() {
    String foo = withTheFeature();

    assertThatThrownBy(() -> write("nowhere", Write.delete("x")))
        .isInstanceOf(CollectionNotFoundException.class)
        .hasMessage("there is no collection 'nowhere'; create it first");
    storage.features.transact(ALICE, tx -> tx.collections().delete(foo));
    assertThatThrownBy(() -> write(foo, Write.delete("x")))
        .isInstanceOf(CollectionNotFoundException.class)
        .hasMessageContaining("is deleted; restore it");
  }

  @Test
  void c16AnOperationThatThereIsNotIsTheProblemOfItsRow() {
    String foo = storage.small();
    BatchJson batch =
        BatchJson.parse(
            GeoJson.object(
                "{\"writes\": [{\"op\": \"create\", \"feature\": {\"id\": \"a\"}}, {\"op\": \"FOO\","
                    + " \"feature\": {\"id\": \"b\"}}, {\"id\": \"c\"}, {\"op\": \"delete\", \"id\":"
                    + " \"d\"}]}"));
    assertThat(batch.writes())
        .filteredOn(Write.Unknown.class::isInstance)
        .containsExactly(new Write.Unknown("FOO", "b"), new Write.Unknown("", "c"));

    BatchResult result =
        storage.features.transact(ALICE, tx -> tx.write(foo, batch.writes(), ResultDetail.BRIEF));

    assertThat(result.rows())
        .extracting(row -> row.getClass().getSimpleName() + " " + row.id())
        .containsExactly("Created a", "Invalid b", "Invalid c", "Retained d");
    assertThat(((RowResult.Invalid) result.rows().get(1)).message())
        .isEqualTo("there is no operation 'FOO'; give create, update, upsert, delete or purge");
    assertThat(storage.features.write(ALICE, foo, batch.writes()).done()).isFalse();
    assertThat(storage.ids(FeatureQuery.from(foo))).containsExactly("a");
  }

  @Test
  void c12AMixOfEverythingIsAnsweredInTheOrderItWasGiven() {
    String foo = withTheFeature();
    write(foo, Write.create(feature("d", "t")), Write.create(feature("p", "t")));
    Feature nameless = Feature.parse("{}");

    List<RowResult> rows =
        write(
            foo,
            Write.create(feature("121", "t")),
            Write.upsert(feature("TheFeature", "t")),
            Write.delete("d"),
            Write.update(nameless),
            Write.create(feature("120", "t")),
            Write.purge("p"),
            Write.create(nameless),
            Write.delete("absent"),
            new Write.Delete("121", "wrong"),
            Write.delete("121"),
            Write.create(feature("121", "again")));

    assertThat(rows)
        .extracting(row -> row.getClass().getSimpleName())
        .containsExactly(
            "Created",
            "Updated",
            "Deleted",
            "Invalid",
            "Created",
            "Purged",
            "Created",
            "Retained",
            "Conflict",
            "Deleted",
            "Created");
    assertThat(rows.get(0).id()).isEqualTo("121");
    assertThat(rows.get(6).id()).matches("[0-9a-f]{32}");
    assertThat(xyz(rows.get(10)).version()).isEqualTo(1);
  }

  /** Whatever is kept of deleted features, and also in a transaction that has deleted before. */
  @Test
  void whatIsNotThereIsToldApartFromWhatIsDeleted() {
    CollectionOptions usual = CollectionOptions.none();
    for (CollectionOptions options :
        List.of(
            usual,
            usual.unpartitioned(),
            usual.unpartitioned().purgingDeleted(),
            usual.unpartitioned().withoutHistory(),
            usual.unpartitioned().withoutHistory().purgingDeleted())) {
      String foo = storage.create(options);
      storage.put(foo, "{\"id\": \"a,{\\\"\"}", "{\"id\": \"b\"}", "{\"id\": \"c\"}");
      List<Write> writes = Stream.of("absent", "a,{\"", "b", "null").map(Write::delete).toList();

      List<List<RowResult>> rows =
          storage.features.transact(
              ALICE, tx -> List.of(tx.write(foo, writes).rows(), tx.write(foo, writes).rows()));

      assertThat(rows.get(0))
          .extracting(row -> row.getClass().getSimpleName())
          .containsExactly("Retained", "Deleted", "Deleted", "Retained");
      assertThat(rows.get(1)).hasOnlyElementsOfType(Retained.class);
      assertThat(storage.ids(FeatureQuery.from(foo))).containsExactly("c");
    }
  }

  @Test
  void anExpectedStateThatIsStillThereIsReplacedOrDeleted() {
    String foo = storage.small();
    Feature first = ((Created) write(foo, Write.create(feature("a", "t"))).get(0)).state();

    RowResult second = write(foo, Write.updateIfUnchanged(first)).get(0);
    assertThat(xyz(second).version()).isEqualTo(2);
    assertThat(write(foo, Write.updateIfUnchanged(first)).get(0)).isInstanceOf(Conflict.class);
    String uuid = xyz(second).uuid().orElseThrow();
    assertThat(write(foo, new Write.Delete("a", "wrong")).get(0)).isInstanceOf(Conflict.class);
    assertThat(write(foo, new Write.Purge("a", "wrong")).get(0)).isInstanceOf(Conflict.class);
    assertThat(write(foo, new Write.Purge("a", uuid)).get(0)).isInstanceOf(Purged.class);
    assertThat(write(foo, new Write.Delete("a", uuid)).get(0)).isInstanceOf(Retained.class);
  }

  @Test
  void c15TheLastStateIsToldAlsoWhereNoDeletionCopyIsKept() throws SQLException {
    String foo = storage.create(CollectionOptions.none().unpartitioned().purgingDeleted());
    write(foo, Write.create(feature("a", "t")));

    RowResult row = write(foo, Write.delete("a")).get(0);

    assertThat(psql.xyz(foo + "_del")).isEmpty();
    assertThat(psql.xyz(foo + "_hst").get(1).get("uuid").textValue())
        .isEqualTo(xyz(row).uuid().orElseThrow());
  }

  @Test
  void f8ThePrefixIsTakenOffIds() throws SQLException {
    String foo = storage.create(CollectionOptions.none().idPrefix("urn:x:"));

    assertThat(write(foo, Write.create(feature("urn:x:7", "t"))).get(0).id()).isEqualTo("7");
    assertThat(psql.value("SELECT jsondata->>'id' FROM " + foo)).isEqualTo("7");
    assertThat(write(foo, Write.create(feature("urn:x:", "t"))).get(0)).isInstanceOf(Invalid.class);
    assertThat(write(foo, Write.delete("urn:x:7")).get(0)).isInstanceOf(Deleted.class);
    assertThat(psql.xyz(foo)).isEmpty();
  }

  /** A look that finds nothing stands for others who delete and create it between two looks. */
  @Test
  void aFeatureThatOthersAlwaysReplaceFirstIsNotSaidToBeKeptByTheCollection() throws SQLException {
    String foo = storage.create(CollectionOptions.none());
    storage.put(foo, "{\"id\": \"x\"}");
    psql.run(
        ("CREATE OR REPLACE FUNCTION %s_lock(ids text[]) RETURNS TABLE (id text, uuid jsonb,"
                + " version jsonb, created jsonb, author jsonb, author_ts jsonb)"
                + " LANGUAGE plpgsql AS 'BEGIN END'")
            .formatted(foo));

    assertThatThrownBy(
            () -> storage.features.write(ALICE, foo, List.of(Write.update(feature("x", "t")))))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("others delete feature 'x' and create it again and again");
  }
}
