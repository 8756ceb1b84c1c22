// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that were written in older forms, with a scalar for each pointer. */
@ExtendWith(ServerExtension.class)
class LegacyItemsTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address SEARCH = Address.parse("search");

  private final TestTable table;
  private final NameService names;

  LegacyItemsTest(DynamoDbServer server) {
    table = TestTable.create(server);
    names = table.names();
  }

  @AfterEach
  void close() {
    table.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "address"})
  void aLedgerIsReadAndItsFirstWriteConverts(String pointer) {
    putLedger(pointer);

    NameRecord record = names.find(MYDB).orElseThrow();
    assertThat(record.meta().kind()).isEqualTo(RecordKind.LEDGER);
    assertThat(record.commit()).isEqualTo(Ref.of("c42", 42));
    assertThat(record.indexed()).isEqualTo(Ref.of("i40", 40));
    assertThat(record.status()).isEqualTo(at(3, "{\"state\":\"indexing\",\"queue_depth\":2}"));
    assertThat(record.config())
        .isEqualTo(at(2, "{\"default_context_id\":\"x1\",\"index_threshold\":10}"));
    for (Concern concern : Concern.values()) {
      assertThat(names.get(MYDB, concern)).contains(record.concern(concern));
    }

    ConcernValue next = at(43, "{\"id\":\"c43\",\"t\":43}");
    assertThat(names.push(MYDB, Concern.HEAD, Optional.of(record.head()), next).updated()).isTrue();
    assertThat(names.ledgers().publishIndex(MYDB, Ref.of("i43", 43)).updated()).isTrue();
    push(Concern.STATUS, record.status(), at(4, "{\"state\":\"ready\"}"));
    push(Concern.CONFIG, record.config(), new ConcernValue(3, Optional.empty()));

    NameRecord after = names.find(MYDB).orElseThrow();
    assertThat(after.commit()).isEqualTo(Ref.of("c43", 43));
    assertThat(after.indexed()).isEqualTo(Ref.of("i43", 43));
    assertThat(after.status()).isEqualTo(at(4, "{\"state\":\"ready\"}"));
    assertThat(after.config()).isEqualTo(new ConcernValue(3, Optional.empty()));
    ConcernAttributes.all()
        .forEach(
            concernAttributes ->
                assertThat(table.rows("mydb:main").get(concernAttributes.sk()))
                    .doesNotContainKeys(
                        concernAttributes.legacyPayloadAttributes().toArray(String[]::new)));
  }

  @Test
  void aConflictWithAnOlderItemSaysWhatIsThere() {
    putLedger("id");

    assertThat(
            names
                .push(
                    MYDB,
                    Concern.HEAD,
                    Optional.of(ConcernValue.UNBORN),
                    at(1, "{\"id\":\"c1\",\"t\":1}"))
                .updated())
        .isFalse();
    assertThat(names.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("c42", 42));
  }

  @Test
  void anUnbornLedgerWithoutAttributesIsUnborn() {
    table.put("mydb:main", "meta", meta("ledger"));
    table.put("mydb:main", "head", Map.of("commit_t", number(0)));
    table.put("mydb:main", "index", Map.of("index_t", number(0)));
    table.put("mydb:main", "status", Map.of("status", string("ready"), "status_v", number(1)));
    table.put("mydb:main", "config", Map.of("config_v", number(0)));

    NameRecord record = names.find(MYDB).orElseThrow();
    assertThat(record.head()).isEqualTo(ConcernValue.UNBORN);
    assertThat(record.status()).isEqualTo(at(1, "{\"state\":\"ready\"}"));
    assertThat(record.config()).isEqualTo(ConcernValue.UNBORN);
    push(Concern.HEAD, ConcernValue.UNBORN, at(1, "{\"id\":\"c1\",\"t\":1}"));
    push(Concern.CONFIG, ConcernValue.UNBORN, at(1, "{\"a\":1}"));
  }

  @Test
  void aGraphSourceIsReadAndRetracted() {
    Map<String, AttributeValue> meta = new HashMap<>(meta("graph_source"));
    meta.put("name", string("search"));
    meta.put("source_type", string("db:Bm25Index"));
    meta.put("dependencies", AttributeValue.fromL(List.of(string("mydb:main"))));
    table.put("search:main", "meta", meta);
    table.put(
        "search:main",
        "config",
        Map.of("config_json", string("{\"k1\":1.2,\"b\":0.75}"), "config_v", number(1)));
    table.put("search:main", "index", Map.of("index_address", string("i7"), "index_t", number(7)));
    table.put("search:main", "status", Map.of("status", string("ready"), "status_v", number(1)));

    NameRecord record = names.graphSources().find(SEARCH).orElseThrow();
    assertThat(record.meta().sourceType()).contains(SourceType.BM25);
    assertThat(record.meta().dependencies()).containsExactly("mydb:main");
    assertThat(record.indexed()).isEqualTo(Ref.of("i7", 7));
    assertThat(names.get(SEARCH, Concern.INDEX)).contains(record.index());
    assertThat(record.config().payload().map(Payload::toJson)).contains("{\"k1\":1.2,\"b\":0.75}");

    NameRecord retracted = names.retract(SEARCH);

    assertThat(retracted.meta().retracted()).isTrue();
    assertThat(names.find(SEARCH)).contains(retracted);
    assertThat(names.restore(SEARCH).indexed()).isEqualTo(Ref.of("i7", 7));
  }

  private void putLedger(String pointer) {
    table.put("mydb:main", "meta", meta("ledger"));
    table.put(
        "mydb:main", "head", Map.of("commit_" + pointer, string("c42"), "commit_t", number(42)));
    table.put(
        "mydb:main", "index", Map.of("index_" + pointer, string("i40"), "index_t", number(40)));
    table.put(
        "mydb:main",
        "status",
        Map.of(
            "status",
            string("indexing"),
            "status_v",
            number(3),
            "status_meta",
            AttributeValue.fromM(Map.of("queue_depth", number(2)))));
    table.put(
        "mydb:main",
        "config",
        Map.of(
            "default_context_address",
            string("x1"),
            "config_v",
            number(2),
            "config_meta",
            AttributeValue.fromM(Map.of("index_threshold", number(10)))));
  }

  private static Map<String, AttributeValue> meta(String kind) {
    return Map.of(
        "kind",
        string(kind),
        "name",
        string("mydb"),
        "branch",
        string("main"),
        "schema",
        number(2),
        "updated_at_ms",
        number(1705312200123L),
        "retracted",
        AttributeValue.fromBool(false));
  }

  private void push(Concern concern, ConcernValue expected, ConcernValue next) {
    assertThat(names.push(MYDB, concern, Optional.of(expected), next).updated()).isTrue();
  }

  private static ConcernValue at(long watermark, String json) {
    return ConcernValue.of(watermark, Payload.parse(json));
  }

  private static AttributeValue string(String text) {
    return AttributeValue.fromS(text);
  }

  private static AttributeValue number(long n) {
    return ItemCodec.number(n);
  }
}
