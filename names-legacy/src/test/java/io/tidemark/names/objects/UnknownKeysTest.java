// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Ledgers;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys of other programs inside the objects that are written anew; see spec 5.14. */
class UnknownKeysTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address SEARCH = Address.parse("search");
  private static final String MAIN = "ns@v2/mydb/main.json";
  private static final String INDEX = "ns@v2/mydb/main.index.json";

  private static final String LEDGER =
      """
      {"@context": {"f": "https://ns.flur.ee/db#"}, "@id": "mydb:main",
       "@type": ["f:LedgerSource"], "f:branch": "main", "f:t": 12, "f:status": "ready",
       "f:ledger": {"@id": "mydb", "x:owner": {"name": "ann"}},
       "f:commitCid": "c12", "f:ledgerCommit": {"@id": "c12", "x:signed": true},
       "f:ledgerIndex": {"f:cid": "i5", "f:t": 5, "x:size": 1.20}%s}
      """;
  private static final String SOURCE =
      """
      {"@id": "search:main", "@type": ["f:IndexSource", "f:Bm25Index"], "f:name": "search",
       "f:branch": "main", "f:status": "ready", "f:graphSourceDependencies": [],
       "f:graphSourceConfig": {"@value": "{}", "x:by": "ann"},
       "f:graphSourceIndex": {"@type": "f:ContentId", "f:graphSourceIndexCid": "g", "x:docs": 7},
       "f:graphSourceIndexT": 5}
      """;

  /** What is done to the record first. */
  private enum Write {
    PUSH_OF_STATUS,
    COMMIT,
    INDEX,
    RETRACT_AND_RESTORE,
    RESET,
    MIGRATION
  }

  private final ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
  private final NameService names =
      new NameService(
          new ObjectNameBackend(store, DocumentLayout.B, Retry.standard(), Clock.systemUTC()),
          NameOptions.standard().withoutNotifications());

  private void put(String key, String json) {
    store.put(key, Body.of(json), Condition.none());
  }

  private JsonNode json(String key) {
    String text = store.get(key).orElseThrow().text();
    return DocumentJson.parse(key, text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(Address address, Write write) {
    switch (write) {
      case PUSH_OF_STATUS -> pushStatus(address);
      case COMMIT -> names.ledgers().publishCommit(address, Ref.of("c13", 13));
      case INDEX -> names.ledgers().publishIndex(address, Ref.of("i6", 6));
      case RETRACT_AND_RESTORE -> {
        names.retract(address);
        names.restore(address);
      }
      case RESET ->
          names.ledgers().reset(address, new Ledgers.Heads(Ref.of("c1", 1), Ref.of("i1", 1)));
      case MIGRATION -> {
        try (Stream<?> lines = names.migrate(MigrationMode.APPLY)) {
          assertThat(lines).hasSize(1);
        }
      }
    }
  }

  private void pushStatus(Address address) {
    ConcernValue known = names.get(address, Concern.STATUS).orElseThrow();
    ConcernValue next =
        ConcernValue.of(known.watermark() + 1, Payload.parse("{\"state\":\"busy\"}"));
    assertThat(names.push(address, Concern.STATUS, Optional.of(known), next).updated()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void keysInsideTheObjectsOfALedgerSurviveTheFirstWriteAndTheNext(Write write) {
    put(MAIN, LEDGER.formatted(""));

    write(MYDB, write);
    pushStatus(MYDB);
    names.ledgers().publishIndex(MYDB, Ref.of("i9", 9));

    JsonNode main = json(MAIN);
    assertThat(main.at("/f:ledger/x:owner/name").asText()).isEqualTo("ann");
    assertThat(main.at("/f:ledger/@id").asText()).isEqualTo("mydb");
    assertThat(main.at("/f:ledgerCommit/x:signed").asBoolean()).isTrue();
    assertThat(main.at("/f:ledgerCommit/@id").asText())
        .isEqualTo(names.find(MYDB).orElseThrow().commit().id().orElseThrow());
    assertThat(main.has("f:ledgerIndex")).isFalse();
    JsonNode index = json(INDEX).path("f:ledgerIndex");
    assertThat(index.path("x:size").toString()).isEqualTo("1.20");
    assertThat(index.path("f:cid").asText()).isEqualTo("i9");
  }

  @Test
  void anIndexThatStaysInTheMainDocumentKeepsItsKeysThere() {
    put(MAIN, LEDGER.formatted(", \"tm:layout\": \"A\""));

    names.ledgers().publishIndex(MYDB, Ref.of("i6", 6));

    assertThat(json(MAIN).at("/f:ledgerIndex/x:size").toString()).isEqualTo("1.20");
    assertThat(json(MAIN).at("/f:ledgerIndex/f:cid").asText()).isEqualTo("i6");
    assertThat(store.get(INDEX)).isEmpty();
  }

  @Test
  void whatIsSaidOfAnIndexIsReplacedWithTheIndex() {
    put(MAIN, LEDGER.formatted(""));
    put(INDEX, "{\"f:ledgerIndex\": {\"f:cid\": \"i7\", \"f:t\": 7, \"x:size\": 9}}");

    write(MYDB, Write.RETRACT_AND_RESTORE);

    assertThat(json(INDEX).at("/f:ledgerIndex/x:size").intValue()).isEqualTo(9);
  }

  @Test
  void whereThereIsNoHeadAnyMoreNothingIsSaidOfIt() {
    put(MAIN, LEDGER.formatted(""));

    names.ledgers().reset(MYDB, new Ledgers.Heads(Ref.UNBORN, Ref.UNBORN));

    assertThat(json(MAIN).has("f:ledgerCommit")).isFalse();
    assertThat(json(MAIN).at("/f:ledger/x:owner/name").asText()).isEqualTo("ann");
  }

  /** Before it was called {@code f:ledgerCommit}. */
  @Test
  void keysOfAnOlderNameSurviveToo() {
    put(
        MAIN,
        """
        {"@id": "mydb:main", "@type": ["f:Database"], "f:ledger": {"@id": "mydb"}, "f:t": 12,
         "f:branch": "main", "f:commit": {"@id": "c12", "x:signed": true},
         "f:index": {"@id": "i5", "f:t": 5, "x:size": 3}}
        """);

    pushStatus(MYDB);

    assertThat(json(MAIN).path("f:ledgerCommit").toString())
        .isEqualTo("{\"@id\":\"c12\",\"x:signed\":true}");
    assertThat(json(INDEX).at("/f:ledgerIndex/x:size").intValue()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(names = {"PUSH_OF_STATUS", "RETRACT_AND_RESTORE"})
  void keysInsideTheObjectsOfAGraphSourceSurvive(Write write) {
    put("ns@v2/search/main.json", SOURCE);

    write(SEARCH, write);

    assertThat(json("ns@v2/search/main.json").at("/f:graphSourceConfig/x:by").asText())
        .isEqualTo("ann");
    assertThat(json("ns@v2/search/main.index.json").path("f:graphSourceIndex").toString())
        .isEqualTo("{\"@type\":\"f:ContentId\",\"f:graphSourceIndexCid\":\"g\",\"x:docs\":7}");
  }

  @ParameterizedTest
  @EnumSource(names = {"PUSH_OF_STATUS", "RETRACT_AND_RESTORE", "MIGRATION"})
  void whatAHeadInPlainKeysHoldsSurvives(Write write) {
    put(
        MAIN,
        """
        {"v": 2, "pk": "mydb:main", "type": "ledger", "name": "mydb", "branch": "main",
         "created_at": 1705312200, "retracted": false, "deps": ["a:main"],
         "head_v": 12, "head": {"address": "c12", "t": 12, "signed": {"by": "ann", "n": 1.20}},
         "status_v": 3, "status": {"state": "ready", "note": 1}, "config_v": 0, "config": null}
        """);

    write(MYDB, write);

    assertThat(names.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("c12", 12));
    assertThat(names.get(MYDB, Concern.HEAD).orElseThrow().payload().orElseThrow().toTree())
        .hasToString("{\"id\":\"c12\",\"t\":12,\"signed\":{\"by\":\"ann\",\"n\":1.20}}");
    assertThat(json(MAIN).path("deps").toString()).isEqualTo("[\"a:main\"]");
    assertThat(json(MAIN).has("head")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"PUSH_OF_STATUS", "INDEX", "RETRACT_AND_RESTORE", "MIGRATION"})
  void theHeadOfAGraphSourceInPlainKeysSurvives(Write write) {
    put(
        "ns@v2/search/main.json",
        """
        {"v": 2, "pk": "search:main", "type": "vg:bm25", "name": "search", "branch": "main",
         "created_at": 1705312200, "retracted": false, "deps": ["mydb:main"],
         "head_v": 4, "head": {"sync_t": 42, "sync_address": "fluree:s3://x"},
         "status_v": 1, "status": {"state": "ready"}, "config_v": 2, "config": {"k1": 1.20}}
        """);
    put(
        "ns@v2/search/main.index.json",
        """
        {"v": 2, "pk": "search:main", "index_v": 3, "x:shards": [1],
         "index": {"sync_t": 42, "address": "i42", "size": 7}}
        """);

    if (write == Write.INDEX) {
      names.graphSources().publishIndex(SEARCH, Ref.of("i43", 43));
      pushStatus(SEARCH);
    } else if (write == Write.MIGRATION) {
      try (Stream<?> lines = names.migrate(MigrationMode.APPLY)) {
        assertThat(lines).hasSize(2);
      }
    } else {
      write(SEARCH, write);
    }
    pushStatus(SEARCH);

    JsonNode main = json("ns@v2/search/main.json");
    assertThat(main.path("head").toString())
        .isEqualTo("{\"sync_t\":42,\"sync_address\":\"fluree:s3://x\"}");
    assertThat(main.path("head_v").asInt()).isEqualTo(4);
    assertThat(names.find(SEARCH).orElseThrow().head()).isEqualTo(ConcernValue.UNBORN);
    assertThat(names.graphSources().find(SEARCH)).isPresent();
    assertThat(json("ns@v2/search/main.index.json").path("x:shards").toString()).isEqualTo("[1]");
  }

  /** Each in a place where something else is expected. */
  @Test
  void whatIsInAFormThatIsNotKnownStays() {
    put(
        MAIN,
        """
        {"v": 2, "pk": "mydb:main", "type": "ledger", "head_v": 0,
         "head": {"address": null, "t": 0, "extra": 1}, "index_v": 0, "index": "none",
         "status": "fine", "config": [1], "deps": null}
        """);
    put(
        "ns@v2/search/main.json",
        """
        {"@id": "search:main", "@type": ["f:IndexSource", "f:Bm25Index", "x:Special"],
         "f:name": "search", "f:branch": "main", "f:status": "ready",
         "f:graphSourceDependencies": [], "f:graphSourceIndex": {"x:at": 5},
         "f:defaultContext": {"@id": "d", "x:by": "ann"}}
        """);

    pushStatus(MYDB);
    pushStatus(MYDB);
    pushStatus(SEARCH);
    pushStatus(SEARCH);

    JsonNode main = json(MAIN);
    assertThat(names.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.UNBORN);
    assertThat(main.path("head").toString()).isEqualTo("{\"address\":null,\"t\":0,\"extra\":1}");
    assertThat(main.path("index").asText()).isEqualTo("none");
    assertThat(main.path("status").asText()).isEqualTo("fine");
    assertThat(main.path("config").toString()).isEqualTo("[1]");
    JsonNode source = json("ns@v2/search/main.json");
    assertThat(source.path("@type").toString())
        .isEqualTo("[\"f:IndexSource\",\"f:Bm25Index\",\"x:Special\"]");
    assertThat(source.path("fidx:index").toString()).isEqualTo("{\"x:at\":5}");
    assertThat(source.path("f:defaultContext").toString()).isEqualTo("{\"x:by\":\"ann\"}");
  }

  @Test
  void whatARootFileSaysOfABranchSurvives() {
    put(
        "mydb.json",
        """
        {"ledgerAlias": "mydb", "x:owner": "ann",
         "branches": [{"name": "main", "commit": {"address": "c3", "branch": "main",
           "time": "2025-01-01", "data": {"t": 3, "flakes": 12},
           "index": {"address": "i2", "data": {"t": 2, "size": 9}}}}]}
        """);

    write(MYDB, Write.MIGRATION);
    pushStatus(MYDB);

    assertThat(json(MAIN).path("x:owner").asText()).isEqualTo("ann");
    assertThat(json(MAIN).path("branches").toString())
        .isEqualTo(
            "[{\"name\":\"main\",\"commit\":{\"time\":\"2025-01-01\",\"data\":{\"flakes\":12},"
                + "\"index\":{\"data\":{\"size\":9}}}}]");
    assertThat(names.find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i2", 2));
  }

  /** No new state may have them; what an earlier program stored stays. */
  @ParameterizedTest
  @EnumSource(names = {"PUSH_OF_STATUS", "INDEX", "RETRACT_AND_RESTORE", "MIGRATION"})
  void halvesOfSurrogatePairsThatAreStoredStay(Write write) {
    put(MAIN, LEDGER.replace("c12", "c\\ud800").formatted(", \"x:note\": \"\\udc00\""));

    write(MYDB, write);
    pushStatus(MYDB);

    assertThat(json(MAIN).path("f:commitCid").asText()).isEqualTo("c\ud800");
    assertThat(json(MAIN).path("x:note").asText()).isEqualTo("\udc00");
    assertThat(names.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("c\ud800", 12));
  }
}
