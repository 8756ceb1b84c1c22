// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.check.CheckReport;
import io.tidemark.features.check.Flaw;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
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
import org.junit.jupiter.params.provider.CsvSource;

/** That whatever is broken behind the back of the triggers is found. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CheckerTest {

  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  /** One is created, updated twice and deleted, made again; one is deleted; one is as it began. */
  private String lived() {
    String c = storage.small();
    storage.features.write(ALICE, c, List.of(upsert("a"), upsert("b"), upsert("c")));
    storage.features.write(ALICE, c, List.of(upsert("a"), upsert("a")));
    storage.features.write(ALICE, c, List.of(Write.delete("a"), Write.delete("b")));
    storage.features.write(ALICE, c, List.of(upsert("a")));
    return c;
  }

  private static Write upsert(String id) {
    return Write.upsert(Feature.parse("{\"id\": \"%s\"}".formatted(id)));
  }

  private CheckReport check(String collection) {
    return storage.features.checker().check(collection);
  }

  @Test
  void whatWasWrittenByTheRulesIsSound() {
    String c = lived();

    assertThat(check(c)).isEqualTo(new CheckReport(c, 2, 8, List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM %s_hst WHERE i = 1 | the state it was made from is missing",
        "DELETE FROM %s_hst WHERE i = 4 | the state that came after it is missing",
        "DELETE FROM %s_hst WHERE jsondata::text LIKE '%%DELETE%%' AND jsondata->>'id' = 'a' | created more often than deleted",
        "UPDATE %s SET jsondata = jsonb_set(jsondata, '{properties,@ns:com:here:xyz,version}', '5') | another version than 1",
        "UPDATE %s SET i = i + 1000 | its uuid does not fit its row",
        "UPDATE %s_del SET jsondata = jsonb_set(jsondata, '{x}', '1') | differs from what the history has",
        "INSERT INTO %1$s_del SELECT * FROM %1$s | it is current, and also deleted",
        "INSERT INTO %1$s_del SELECT * FROM %1$s | where states of that kind are not kept",
        "DELETE FROM naksha_tx WHERE id = '%s' AND action = 'MODIFY_FEATURES' AND txn IN (SELECT max(txn) FROM naksha_tx) | the log does not know its transaction"
      })
  void whatIsBrokenIsTold(String harm, String problem) throws SQLException {
    String c = lived();
    assertThat(check(c).isConsistent()).isTrue();

    storage.psql.run("ALTER TABLE %s DISABLE TRIGGER ALL".formatted(c), harm.formatted(c));

    assertThat(check(c).flaws()).extracting(Flaw::problem).anyMatch(p -> p.contains(problem));
    assertThat(check(c).flaws().get(0).toString()).contains("feature '");
  }

  @Test
  void thereMustBeSuchACollection() {
    assertThatThrownBy(() -> check("no\"thing"))
        .isInstanceOf(CollectionNotFoundException.class)
        .hasMessageContaining("there is no collection 'no\"thing'");
  }
}
