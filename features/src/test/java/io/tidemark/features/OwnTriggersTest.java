// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.model.Feature;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.StorageUnusableException;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Triggers that users have put on a collection beside its own. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnTriggersTest {

  private TestStorage storage;
  private String c = "";

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  @BeforeEach
  void create() {
    c = storage.small();
    storage.put(c, "{\"id\": \"a\"}", "{\"id\": \"b\"}", "{\"id\": \"z\"}");
  }

  private void trigger(String when, String each, String body) throws SQLException {
    storage.psql.run(
        "CREATE FUNCTION own_%s() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN %s RETURN NULL; END$$"
            .formatted(c, body),
        "CREATE TRIGGER own %s ON %s FOR EACH %s EXECUTE FUNCTION own_%2$s()"
            .formatted(when, c, each));
  }

  private List<String> done(Write... writes) {
    return storage.features.write(ALICE, c, List.of(writes)).rows().stream()
        .map(row -> row.getClass().getSimpleName() + " " + row.id())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"DELETE, deleted", "UPDATE, updated"})
  void aFeatureThatATriggerKeepsAsItIsIsNamed(String event, String what) throws SQLException {
    trigger("BEFORE " + event, "ROW", "");
    Write write =
        event.equals("DELETE")
            ? Write.delete("a")
            : Write.update(Feature.parse("{\"id\": \"a\", \"properties\": {\"n\": 1}}"));

    assertThatThrownBy(() -> done(write))
        .isInstanceOf(StorageUnusableException.class)
        .hasMessageContaining("the feature 'a' of collection '%s' is there", c)
        .hasMessageContaining("can't be " + what)
        .hasMessageContaining("a BEFORE trigger");
    assertThat(storage.psql.xyz(c)).extracting(xyz -> xyz.path("version").asInt()).containsOnly(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 40})
  void aFeatureThatATriggerKeepsOutIsNotTakenForCreated(int count) throws SQLException {
    storage.psql.run(
        ("CREATE FUNCTION own_%1$s() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN"
                + " IF NEW.jsondata->>'id' = 'n2' THEN RETURN NULL; END IF; RETURN NEW; END$$")
            .formatted(c),
        "CREATE TRIGGER own BEFORE INSERT ON %1$s FOR EACH ROW EXECUTE FUNCTION own_%1$s()"
            .formatted(c));
    List<Write> creates =
        IntStream.range(0, count)
            .mapToObj(n -> Write.create(Feature.parse("{\"id\": \"n%d\"}".formatted(n))))
            .toList();

    BatchResult result = storage.features.transact(ALICE, tx -> tx.write(c, creates));

    assertThat(result.rows())
        .filteredOn(row -> !row.done())
        .singleElement()
        .isInstanceOfSatisfying(
            RowResult.Conflict.class,
            row -> {
              assertThat(row.id()).isEqualTo("n2");
              assertThat(row.message()).contains("isn't there and can't be created");
            });
    assertThat(storage.psql.number("SELECT count(*) FROM " + c)).isEqualTo(3 + count - 1);
    assertThat(storage.features.checker().check(c).flaws()).isEmpty();
    List<Write> upsert = List.of(Write.upsert(Feature.parse("{\"id\": \"n2\"}")));
    assertThatThrownBy(() -> storage.features.write(ALICE, c, upsert))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("feature 'n2'")
        .hasMessageContaining("a BEFORE trigger");
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEFORE", "AFTER"})
  void aTriggerThatDeletesElsewhereChangesNoAnswer(String when) throws SQLException {
    String other = storage.small();
    storage.put(other, "{\"id\": \"o\"}");
    trigger(when + " DELETE", "STATEMENT", "DELETE FROM %s;".formatted(other));

    assertThat(done(Write.delete("a"), Write.delete("none")))
        .containsExactly("Deleted a", "Retained none");
    assertThat(storage.psql.number("SELECT count(*) FROM " + other)).isZero();
  }

  /** Such as one that removes what belongs to a feature together with it. */
  @Test
  void aTriggerThatDeletesMoreOfTheSameCollectionChangesNoAnswer() throws SQLException {
    trigger(
        "AFTER DELETE",
        "STATEMENT",
        "IF pg_trigger_depth() = 1 THEN DELETE FROM %s WHERE jsondata->>'id' = 'z'; END IF;"
            .formatted(c));

    assertThat(done(Stream.of("a", "b", "none").map(Write::delete).toArray(Write[]::new)))
        .containsExactly("Deleted a", "Deleted b", "Retained none");
    assertThat(storage.psql.number("SELECT count(*) FROM " + c)).isZero();
    assertThat(storage.features.checker().check(c).flaws()).isEmpty();
  }

  /** As if others did so, who can't be told from it. */
  @Test
  void aFeatureThatIsCreatedWheneverItIsToBeDeletedMayBeDeletedWhenThatEnds() throws SQLException {
    trigger(
        "AFTER DELETE",
        "STATEMENT",
        "INSERT INTO %s (jsondata) VALUES ('{\"id\": \"none\"}');".formatted(c));
    List<Write> writes = List.of(Write.delete("a"), Write.delete("none"));

    assertThatThrownBy(() -> storage.features.transact(ALICE, tx -> tx.write(c, writes)))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("the feature 'none' of collection '%s' is created again and again", c)
        .hasMessageContaining("do it again")
        .cause()
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
    assertThat(storage.psql.number("SELECT count(*) FROM " + c)).isEqualTo(3);
  }
}
