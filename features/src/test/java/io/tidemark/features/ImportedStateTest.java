// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.features.check.Flaw;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** States that came past the triggers from elsewhere: spec 1.1 and resolution 41. */
@ExtendWith(ServerExtension.class)
class ImportedStateTest {

  private final TestStorage storage;
  private final String foo;

  ImportedStateTest(PostgresServer server) throws SQLException {
    storage = TestStorage.in(server);
    foo = storage.small();
    storage.psql.run(
        "SET session_replication_role = replica",
        ("INSERT INTO %s (i, jsondata) SELECT 1000 + n, jsonb_build_object('id', 'f' || n, 'properties',"
                + " jsonb_build_object('@ns:com:here:xyz', xyz)) FROM (VALUES (1, '{\"txn\": 5,"
                + " \"txn_next\": 0, \"author_ts\": \"soon\", \"createdAt\": \"once\","
                + " \"version\": \"many\", \"author\": \"eve\"}'::jsonb), (2, '{\"txn\": 5,"
                + " \"txn_next\": 0, \"uuid\": \"u\", \"createdAt\": 7, \"version\": 3.0,"
                + " \"author_ts\": 8, \"author\": \"eve\"}')) AS v (n, xyz)")
            .formatted(foo),
        "SET session_replication_role = origin");
  }

  @AfterEach
  void close() {
    storage.close();
  }

  /** What the server warns of. */
  private List<String> warnings(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(storage.url);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT naksha_tx_start('app1', NULL)");
      statement.execute(sql);
      List<String> found = new ArrayList<>();
      for (SQLWarning each = statement.getWarnings(); each != null; each = each.getNextWarning()) {
        found.add(each.getMessage());
      }
      connection.commit();
      return found;
    }
  }

  @Test
  void anUpdateTakesWhatIsMissingFromItsTransactionAndWarns() throws SQLException {
    assertThat(warnings("UPDATE %s SET geo = NULL WHERE i = 1001".formatted(foo)))
        .anySatisfy(w -> assertThat(w).contains("has no author_ts that is a number"))
        .anySatisfy(w -> assertThat(w).contains("has no createdAt that is a number"))
        .anySatisfy(w -> assertThat(w).contains("feature 'f1' has no uuid"));
    JsonNode xyz = storage.psql.xyz(foo).get(0);
    assertThat(xyz.path("createdAt")).isEqualTo(xyz.path("updatedAt"));
    assertThat(xyz.path("author_ts")).isEqualTo(xyz.path("updatedAt"));
    assertThat(xyz.path("version").asLong()).isEqualTo(1);
    assertThat(xyz.path("author").asText()).isEqualTo("eve");
  }

  @Test
  void soDoesADeletion() throws SQLException {
    assertThat(warnings("DELETE FROM %s WHERE i = 1001".formatted(foo)))
        .anySatisfy(w -> assertThat(w).contains("has no author_ts that is a number"))
        .anySatisfy(w -> assertThat(w).contains("has no createdAt that is a number"))
        .anySatisfy(w -> assertThat(w).contains("has no version that is a number"))
        .anySatisfy(w -> assertThat(w).contains("feature 'f1' has no uuid"));
    JsonNode xyz = storage.psql.xyz(foo + "_del").get(0);
    assertThat(xyz.path("createdAt")).isEqualTo(xyz.path("updatedAt"));
    assertThat(xyz.path("author_ts")).isEqualTo(xyz.path("updatedAt"));
    assertThat(xyz.path("version").asLong()).isEqualTo(1);
  }

  @Test
  void whatIsThereIsKeptWithoutAWarning() throws SQLException {
    assertThat(warnings("DELETE FROM %s WHERE i = 1002".formatted(foo))).isEmpty();
    JsonNode xyz = storage.psql.xyz(foo + "_del").get(0);
    assertThat(xyz.path("createdAt").asLong()).isEqualTo(7);
    assertThat(xyz.path("author_ts").asLong()).isEqualTo(8);
    assertThat(xyz.path("version").asLong()).isEqualTo(4);
    assertThat(xyz.path("puuid").asText()).isEqualTo("u");
  }

  /** What the API tells; what it stores is what the trigger does. */
  @Test
  void anUpdateByTheApiDoesTheSameAndTells() throws SQLException {
    Write first = Write.update(Feature.parse("{\"id\": \"f1\"}"));
    Write second = Write.update(Feature.parse("{\"id\": \"f2\"}"));

    BatchResult result = storage.features.write(Actor.app("app1"), foo, List.of(first, second));

    assertThat(result.done()).isTrue();
    assertThat(result.warnings())
        .containsExactly(
            "the old state of feature 'f1' has no uuid, so the new state names none before it",
            "the old state of feature 'f1' has no version that is a number; the new state is the"
                + " first again",
            "the old state of feature 'f1' has no createdAt that is a number; the time of this"
                + " transaction is taken",
            "the old state of feature 'f1' has no author_ts that is a number; createdAt is taken");
    JsonNode xyz = storage.psql.xyz(foo).get(0);
    assertThat(xyz.path("createdAt")).isEqualTo(xyz.path("updatedAt"));
    assertThat(xyz.path("author_ts")).isEqualTo(xyz.path("updatedAt"));
    assertThat(xyz.path("version").asLong()).isEqualTo(1);
    assertThat(xyz.path("puuid").isNull()).isTrue();
    assertThat(storage.psql.xyz(foo).get(1).path("version").asLong()).isEqualTo(4);
    assertThat(storage.features.checker().check(foo).flaws())
        .as("what is missing is found")
        .extracting(Flaw::problem)
        .anyMatch(problem -> problem.startsWith("the state it was made from is missing"));
  }

  /** The second round has to give in once, and with it the first. */
  @Test
  void whatIsUndoneIsNotWarnedOf() throws SQLException {
    storage.psql.run(
        "CREATE SEQUENCE times",
        "CREATE FUNCTION beaten() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN IF nextval('times') = 2"
            + " THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF; RETURN NULL; END$$",
        "CREATE TRIGGER beaten AFTER UPDATE ON %s EXECUTE FUNCTION beaten()".formatted(foo));
    Write write = Write.update(Feature.parse("{\"id\": \"f1\"}"));

    BatchResult result =
        storage.features.transact(Actor.app("app1"), tx -> tx.write(foo, List.of(write, write)));

    assertThat(storage.psql.number("SELECT nextval('times')")).as("rounds").isEqualTo(5);
    assertThat(result.warnings()).hasSize(4).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"broken\"", "null", "[1]", "{\"version\": 1e30, \"createdAt\": {}}"})
  void aNamespaceThatIsNoneCanBeReplaced(String namespace) throws SQLException {
    storage.psql.run(
        "SET session_replication_role = replica",
        ("INSERT INTO %s (i, jsondata) VALUES (2000, '{\"id\": \"odd\", \"properties\":"
                + " {\"@ns:com:here:xyz\": %s}}')")
            .formatted(foo, namespace),
        "SET session_replication_role = origin");
    Write write = Write.upsert(Feature.parse("{\"id\": \"odd\"}"));

    BatchResult result = storage.features.write(Actor.app("app1"), foo, List.of(write));

    assertThat(result.rows().get(0))
        .isInstanceOfSatisfying(
            RowResult.Updated.class,
            updated -> {
              XyzNamespace xyzNamespace = updated.state().xyz().orElseThrow();
              assertThat(xyzNamespace.version()).isEqualTo(1);
              assertThat(xyzNamespace.author()).isEqualTo("app1");
            });
    assertThat(result.warnings()).hasSize(3);
    assertThat(storage.psql.number("SELECT count(*) FROM %s_hst".formatted(foo))).isEqualTo(1);
  }

  /** Many are deleted in the belief that none is odd. */
  @ParameterizedTest
  @ValueSource(ints = {0, 40})
  void aNamespaceThatIsNoneIsKeptWhenItsFeatureIsDeleted(int others) throws SQLException {
    String odd =
        "INSERT INTO %s (i, jsondata) VALUES (2000, '{\"id\": \"a\", \"properties\":"
            + " {\"@ns:com:here:xyz\": \"broken\"}}'), (2001, '{\"id\": \"b\", \"properties\": 7}'),"
            + " (2002, '{\"id\": \"c\", \"properties\": {\"@ns:com:here:xyz\": {\"version\":"
            + " 1e30}}}')";
    storage.psql.run(
        "SET session_replication_role = replica",
        odd.formatted(foo),
        "SET session_replication_role = origin");
    storage.put(
        foo,
        IntStream.range(0, others)
            .mapToObj("{\"id\": \"other %d\"}"::formatted)
            .toArray(String[]::new));

    storage.psql.as("app1", "me", "DELETE FROM " + foo);

    assertThat(
            storage.psql.values(
                "SELECT jsondata->'properties'->'@ns:com:here:xyz'->>'version' FROM %s_del WHERE"
                        .formatted(foo)
                    + " jsondata->>'id' IN ('a', 'b', 'c') ORDER BY jsondata->>'id'"))
        .containsExactly("1", "1", "1");
    assertThat(storage.psql.number("SELECT count(*) FROM %s_del".formatted(foo)))
        .isEqualTo(5 + others);
    assertThat(storage.psql.number("SELECT count(*) FROM %s_hst".formatted(foo)))
        .isEqualTo(2L * (5 + others));
    assertThat(
            storage.psql.values(
                "SELECT jsondata->'properties'->>'@ns:com:here:xyz' FROM %s_hst WHERE i = 2000"
                    .formatted(foo)))
        .singleElement()
        .asString()
        .startsWith("{\"txn\": 0, \"txn_next\": 20");
  }
}
