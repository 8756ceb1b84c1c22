// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.LoadProgress;
import io.tidemark.features.bulk.LoadProgress.Phase;
import io.tidemark.features.bulk.LoadRefusedException;
import io.tidemark.features.bulk.LoadReport;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A load replaces tables, and loses nothing that somebody has given them: it is kept, or the load
 * is refused; decision 12.
 */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BulkLossTest {

  private TestStorage storage;
  private Psql psql;
  private String plain;
  private Path file;

  @BeforeAll
  void open(PostgresServer server, @TempDir Path directory) throws IOException {
    storage = TestStorage.in(server);
    psql = storage.psql;
    plain = storage.small();
    file = Files.writeString(directory.resolve("f.geojsonl"), "{\"id\": \"f\"}\n");
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private LoadReport load(String collection, LoadOptions options, Consumer<LoadProgress> told) {
    return storage.features.bulk().load(ALICE, collection, Input.of(file), options).run(told);
  }

  private LoadReport load(String collection) {
    return load(collection, LoadOptions.standard(), progress -> {});
  }

  private long leftovers() throws SQLException {
    return psql.number("SELECT count(*) FROM pg_class WHERE relname LIKE 'naksha_load_%'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "CREATE POLICY mine ON %s USING (i > 1) | policy mine on table %s",
        "ALTER TABLE %s ENABLE ROW LEVEL SECURITY | settings of table %s",
        "ALTER TABLE %s SET (fillfactor = 50) | settings of table %s",
        "ALTER TABLE %s SET (toast.autovacuum_enabled = off) | settings of table %s",
        "ALTER TABLE %s REPLICA IDENTITY FULL | settings of table %s",
        "CREATE TRIGGER mine AFTER DELETE ON %s EXECUTE FUNCTION naksha_no_truncate() | trigger mine on table %s",
        "ALTER TABLE %s DISABLE TRIGGER naksha_update | trigger naksha_update on table %s, switched on or off",
        "CREATE RULE mine AS ON DELETE TO %s DO ALSO NOTHING | rule mine on table %s",
        "CREATE VIEW v_%1$s AS SELECT i FROM %1$s | rule _RETURN on view v_%s",
        "ALTER TABLE %s ADD CONSTRAINT mine CHECK (i > 0) | constraint mine on table %s",
        "ALTER TABLE %s ADD COLUMN mine int | column mine of table %s",
        "ALTER TABLE %s ALTER COLUMN i SET DEFAULT 7 | default value for column i of table %s",
        "ALTER TABLE %s ALTER COLUMN jsondata SET STORAGE EXTERNAL | column jsondata of table %s",
        "ALTER TABLE %s ALTER COLUMN jsondata SET STATISTICS 500 | column jsondata of table %s",
        "ALTER TABLE %s ALTER COLUMN jsondata SET STATISTICS -1 | column jsondata of table %s",
        "ALTER TABLE %s ALTER COLUMN geo SET STATISTICS 0 | column geo of table %s",
        "CREATE STATISTICS s_%1$s ON i, geo FROM %1$s | statistics object s_%s",
        "CREATE TABLE t_%1$s (i bigint REFERENCES %1$s) | constraint t_%1$s_i_fkey on table t_%1$s",
        "CREATE FUNCTION f_%1$s(%1$s) RETURNS int LANGUAGE sql AS 'SELECT 1' | function f_%1$s(%1$s)",
        "COMMENT ON COLUMN %s.geo IS 'mine' | comment on column geo of table %s",
        "COMMENT ON INDEX %s_geo_idx IS 'mine' | comment on index %s_geo_idx"
      })
  void whatCantBeKeptIsNamed(String given, String found) throws SQLException {
    assertThat(psql.value("SELECT naksha_load_loss('%s')".formatted(plain))).isNull();
    psql.run("BEGIN", given.formatted(plain));

    assertThat(psql.value("SELECT naksha_load_loss('%s')".formatted(plain)))
        .isEqualTo(found.formatted(plain));
    psql.run("ROLLBACK");
  }

  @Test
  void aLoadThatWouldLoseSomethingIsRefusedBeforeItBegins() throws SQLException {
    String c = storage.small();
    psql.run("CREATE POLICY mine ON %s USING (i > 1)".formatted(c));

    assertThatThrownBy(() -> load(c))
        .isInstanceOf(LoadRefusedException.class)
        .hasMessage(
            "the collection '%1$s' was given what a load would lose: policy mine on table %1$s; drop"
                    .formatted(c)
                + " that and make it again afterwards, or have features created or replaced one by"
                + " one (upsert)");
  }

  @Test
  void whatIsGivenToALeafCountsTooAndHeadsOwnDoesNot() throws SQLException {
    String c = storage.create(CollectionOptions.none());
    psql.run(
        "CREATE POLICY heads ON %s USING (true)".formatted(c),
        "CREATE VIEW v_%1$s AS SELECT i FROM %1$s".formatted(c),
        "CREATE TRIGGER heads AFTER DELETE ON %s FOR EACH ROW EXECUTE FUNCTION naksha_no_truncate()"
            .formatted(c),
        "CREATE POLICY leafs ON %s_7 USING (true)".formatted(c));

    assertThatThrownBy(() -> load(c))
        .isInstanceOf(LoadRefusedException.class)
        .hasMessageContaining("policy leafs on table %s_7; drop that".formatted(c));
    psql.run("DROP POLICY leafs ON %s_7".formatted(c));

    assertThat(load(c).loaded()).isEqualTo(1);
    assertThat(psql.number("SELECT count(*) FROM v_" + c)).isEqualTo(1);
    assertThat(psql.number("SELECT count(*) FROM pg_trigger WHERE tgname = 'heads'")).isEqualTo(17);
  }

  @Test
  void whatIsGivenDuringALoadIsFoundAtItsEndAndStays() throws SQLException {
    String c = storage.small();

    assertThatThrownBy(
            () ->
                load(
                    c,
                    LoadOptions.standard(),
                    progress -> {
                      if (progress.phase() == Phase.ATTACH) {
                        run("CREATE POLICY late ON %s USING (true)".formatted(c));
                      }
                    }))
        .isInstanceOf(LoadRefusedException.class)
        .hasMessageContaining("would lose: policy late on table %s; nothing of".formatted(c));

    assertThat(
            psql.values("SELECT policyname FROM pg_policies WHERE tablename = '%s'".formatted(c)))
        .containsExactly("late");
    assertThat(psql.number("SELECT count(*) FROM " + c)).isZero();
    assertThat(leftovers()).isZero();
  }

  private void run(String sql) {
    try {
      psql.run(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void manyThingsAreCountedAndUpsertsLoseNone() throws SQLException {
    String c = storage.create(CollectionOptions.none());
    psql.run("ALTER TABLE %s ADD CONSTRAINT many CHECK (i > 0)".formatted(c));

    assertThatThrownBy(() -> load(c))
        .isInstanceOf(LoadRefusedException.class)
        .hasMessageContaining("constraint many on table %s_0, constraint".formatted(c))
        .hasMessageContaining(" and 11 more;");

    LoadReport report = load(c, LoadOptions.standard().with(Existing.UPSERT), progress -> {});
    assertThat(report.loaded()).isEqualTo(1);
    assertThat(psql.number("SELECT count(*) FROM pg_constraint WHERE conname = 'many'"))
        .isEqualTo(17);
  }

  @ParameterizedTest
  @ValueSource(strings = {"one table", "leaves"})
  void ownerAndRightsAreKeptAndNoneAdded(String kind) throws SQLException {
    boolean one = kind.equals("one table");
    String c = one ? storage.small() : storage.create(CollectionOptions.none());
    String table = one ? c : c + "_7";
    List<String> roles = List.of("o_" + c, "r_" + c, "d_" + c);
    for (String role : roles) {
      psql.run("CREATE ROLE " + role);
    }
    psql.run(
        "ALTER TABLE %s OWNER TO o_%s".formatted(table, c),
        "GRANT SELECT, INSERT ON %s TO r_%s WITH GRANT OPTION".formatted(table, c),
        "GRANT UPDATE (geo, jsondata) ON %s TO r_%s".formatted(table, c),
        "GRANT SELECT (i) ON %s TO PUBLIC".formatted(table),
        "REVOKE TRUNCATE ON %s FROM o_%s".formatted(table, c),
        "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO d_" + c);
    String rights =
        "SELECT concat_ws(' ', relowner::regrole, (SELECT array_agg(r ORDER BY r::text)"
            + " FROM unnest(relacl) r), (SELECT string_agg(attname || attacl::text, ' '"
            + " ORDER BY attname) FROM pg_attribute WHERE attrelid = t.oid))"
            + " FROM pg_class t WHERE relname = '%s'".formatted(table);
    String before = psql.value(rights);

    load(c);
    psql.run("ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM d_" + c);

    assertThat(psql.value(rights)).isEqualTo(before).contains("r_%s=a*r*/o_%s".formatted(c, c));
    assertThat(storage.features.checker().check(c).flaws()).isEmpty();
  }
}
