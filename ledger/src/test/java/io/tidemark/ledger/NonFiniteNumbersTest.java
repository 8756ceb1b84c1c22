// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionOutcome;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.transfer.LedgerExport;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.internal.json.FiniteJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Bare NaN and Infinity in the payloads of another program are null for every reader. */
class NonFiniteNumbersTest {

  private static final TypeId PROBE = TypeId.entity("Probe");
  private static final List<TypeSchema> TYPES =
      DeclaredSchema.parse(
          "[{\"entity\": \"Probe\", \"key\": \"id\", \"fields\": {\"id\": \"string\","
              + " \"note\": \"string\", \"any\": \"any\", \"x\": \"double\"}}]");
  private static final Map<String, String> PROBES =
      Map.of(
          "a", "{\"any\":1,\"id\":\"a\",\"note\":\"\",\"x\":1.5}",
          "b", "{\"any\":NaN,\"id\":\"b\",\"note\":\"said NaN,\",\"x\":NaN}",
          "c", "{\"any\":-Infinity,\"id\":\"c\",\"note\":\"-Infinity\",\"x\":Infinity}");
  private static final List<String> SHOWN =
      List.of(
          "{\"id\":\"a\",\"note\":\"\",\"any\":1,\"x\":1.5}",
          "{\"id\":\"b\",\"note\":\"said NaN,\",\"any\":null,\"x\":null}",
          "{\"id\":\"c\",\"note\":\"-Infinity\",\"any\":null,\"x\":null}");

  @TempDir private Path directory;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private final ForeignLedger foreign = new ForeignLedger(fixture);

  private enum Reader {
    SCAN,
    FILES,
    REPLICA;

    QuerySettings of(QuerySettings queries) {
      return switch (this) {
        case SCAN -> queries.withEngine(Engine.SCAN);
        case FILES -> queries;
        case REPLICA -> queries.withReplica(Replication.KEPT);
      };
    }
  }

  @BeforeEach
  void write() {
    foreign.init();
    foreign.register(TYPES.get(0));
    foreign.commit("Probe", PROBES);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Ledger open(Reader reader) {
    QuerySettings queries = LedgerFixture.QUERIES.withCache(directory.resolve("cache"));
    return fixture.open(LedgerFixture.options().withQueries(reader.of(queries)));
  }

  private static String ids(QueryBuilder<ObjectNode> query) {
    return query.stream()
        .map(resultRow -> resultRow.value().path("id").asText())
        .sorted()
        .toList()
        .toString();
  }

  private static List<ObjectNode> values(QueryBuilder<ObjectNode> query) {
    return query.list().stream().map(ResultRow::value).toList();
  }

  private static void areShown(List<ObjectNode> rows) {
    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            SHOWN.stream().map(json -> (ObjectNode) LedgerFixture.parse(json)).toList());
  }

  @ParameterizedTest
  @EnumSource
  void everyReaderHasNull(Reader reader) {
    Ledger ledger = open(reader);

    areShown(values(ledger.query().rows(PROBE)));
    assertThat(ids(ledger.query().rows(PROBE).where(field("x").isNull()))).isEqualTo("[b, c]");
    assertThat(ids(ledger.query().rows(PROBE).where(field("any").isNull()))).isEqualTo("[b, c]");
    assertThat(ids(ledger.query().rows(PROBE).where(field("x").gt(1)))).isEqualTo("[a]");
    assertThat(ledger.query().rows(PROBE).sum("x").asDouble()).isEqualTo(1.5);
  }

  @Test
  void exportsAndChangesAreJson() {
    Ledger ledger = open(Reader.FILES);
    List<String> lines = new ArrayList<>();

    new LedgerExport(ledger, LedgerExportOptions.standard()).lines(lines::add);

    areShown(
        lines.stream().map(line -> (ObjectNode) LedgerFixture.parse(line).path("fields")).toList());
    assertThat(LedgerFixture.told(ledger, 1)).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void staysNullInASnapshotAndBelowACommit(Reader reader) {
    foreign.commit("Probe", Map.of("a", "{\"any\":NaN,\"id\":\"a\",\"note\":\"\",\"x\":1.5}"));
    Ledger ledger = open(reader);
    assertThat(
            ledger
                .compaction()
                .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none()))
        .singleElement()
        .isInstanceOf(CompactionOutcome.Merged.class);

    assertThat(ids(ledger.query().rows(PROBE).where(field("any").isNull()))).isEqualTo("[a, b, c]");
    areShown(values(ledger.query().rows(PROBE).asOf(1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '|',
      value = {
        "{\"a\":NaN}; {\"a\":null}",
        "{\"a\":[Infinity, -Infinity,NaN]}; {\"a\":[null, null,null]}",
        "{\"NaN\":\"\\\"NaN\",\"b\":\"\\\\\",\"c\":NaN}; {\"NaN\":\"\\\"NaN\",\"b\":\"\\\\\",\"c\":null}",
        "{\"a\":\"Infinity; {\"a\":\"Infinity"
      })
  void onlyNumbersAreReplaced(String json, String expected) {
    assertThat(FiniteJson.of(json)).isEqualTo(expected);
  }
}
