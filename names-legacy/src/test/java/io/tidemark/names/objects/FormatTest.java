// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The documents to the byte, and what earlier programs left. */
class FormatTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-02-10T12:00:00Z"), ZoneOffset.UTC);
  private static final Address MYDB = Address.parse("mydb");
  private static final Address DEV = Address.parse("mydb:dev");
  private static final Address SEARCH = Address.parse("search");

  private final MemoryBackend objects = new MemoryBackend();
  private final ObjectStore store = new ObjectStore(objects, Retry.standard());
  private final AtomicInteger ids = new AtomicInteger();
  private final ObjectNameBackend backend = open();
  private final NameService names =
      new NameService(backend, NameOptions.standard().withoutNotifications().withClock(CLOCK));

  private ObjectNameBackend open() {
    return new ObjectNameBackend(
        store, DocumentLayout.B, Retry.standard(), CLOCK, () -> "id-" + ids.incrementAndGet());
  }

  @Test
  void aFreshLedgerIsOneFileAndItsIndexAnother_names51() {
    names.create(MYDB);
    assertThat(text("mydb/main.json")).isEqualTo(fixture("fresh-ledger.json"));
    assertThat(store.get("ns@v2/mydb/main.index.json")).isEmpty();
    names.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
    assertThat(text("mydb/main.json")).isEqualTo(fixture("fresh-ledger.json"));
    assertThat(store.get("ns@v2/mydb/main.index.json")).isPresent();
  }

  @Test
  void aLedgerWithEverything() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c5", 5));
    names.branches().create(MYDB, "dev", Optional.empty());
    names.push(
        DEV,
        Concern.STATUS,
        names.get(DEV, Concern.STATUS),
        value(2, "{\"state\":\"indexing\",\"queue_depth\":5}"));
    names.push(
        DEV,
        Concern.CONFIG,
        names.get(DEV, Concern.CONFIG),
        value(1, "{\"default_context_id\":\"x1\",\"replicas\":3}"));
    names.ledgers().publishIndex(DEV, Ref.of("i4", 4));
    assertThat(text("mydb/dev.json")).isEqualTo(fixture("full-ledger.json"));
    assertThat(text("mydb/dev.index.json")).isEqualTo(fixture("full-ledger.index.json"));
  }

  @Test
  void aGraphSource() {
    Payload config = Payload.parse("{\"k1\": 1.2, \"b\": 0.75}");
    names.graphSources().publish(SEARCH, SourceType.BM25, config, List.of("mydb:main"));
    names.graphSources().publishIndex(SEARCH, Ref.of("i7", 7));
    assertThat(text("search/main.json")).isEqualTo(fixture("fresh-source.json"));
    assertThat(text("search/main.index.json")).isEqualTo(fixture("fresh-source.index.json"));
  }

  @ParameterizedTest
  @CsvSource({
    "e2, fluree:file://mydb/commit/abc.json, fluree:file://mydb/index/root.json, 40, 1, 1",
    "e3, fluree:file://mydb/commit/abc.json, fluree:file://mydb/index/root.json, 40, 7, 2",
    "e4, bagaybqabciqgt7owe5vdp5pefl37aqc2efydwycvipiiqjbjqoweex5ijczysbq,"
        + " baghybqabciqihyvmmno5fe6rsrwu2o7hxetnotfyaf32quh3jikpg5tdip2lpba, 40, 1, 0",
    "s000, fluree:s3://bucket/commits/t42.json, fluree:s3://bucket/index/t42, 42, 89, 2",
    "s001, bafybeigcommit42, bafybeigindex42, 42, 1, 0",
  })
  void olderLedgersAreReadAndTheFirstWriteConvertsThem(
      String era, String commit, String index, long indexT, long statusV, long configV) {
    place("mydb/main.json", era + "-ledger.json");
    place("mydb/main.index.json", era + "-ledger.index.json");
    NameRecord found = backend.find(MYDB).orElseThrow();
    assertThat(found.meta().kind()).isEqualTo(RecordKind.LEDGER);
    assertThat(found.commit()).isEqualTo(Ref.of(commit, 42));
    assertThat(found.indexed()).isEqualTo(Ref.of(index, indexT));
    assertThat(found.status().watermark()).isEqualTo(statusV);
    assertThat(found.config().watermark()).isEqualTo(configV);
    assertThat(found.meta().retracted()).isFalse();
    assertThat(listed()).containsExactly(found);

    ConcernValue next = value(43, "{\"id\":\"c43\",\"t\":43}");
    ConcernChange push = new ConcernChange.Push(Concern.HEAD, found.head(), next);
    assertThat(open().change(MYDB, push)).isEqualTo(new Applied(next));
    assertThat(open().find(MYDB)).contains(found.with(Concern.HEAD, next, CLOCK.millis()));
    ObjectNode node =
        DocumentJson.parse("", text("mydb/main.json").getBytes(StandardCharsets.UTF_8));
    assertThat(node.path("@type").toString()).isEqualTo("[\"f:Database\",\"f:LedgerSource\"]");
    assertThat(node.path("f:commitCid").asText()).isEqualTo("c43");
    assertThat(node.path("@context").path("f").asText()).isEqualTo("https://ns.flur.ee/db#");
    assertThat(node.has("f:ledgerIndex")).as("the index has a file of its own").isFalse();
    assertThat(node.has("f:commit") || node.has("db:t") || node.has("pk")).isFalse();

    ConcernValue built = value(44, "{\"default\":{\"id\":\"i44\",\"t\":44,\"rev\":0}}");
    assertThat(open().change(MYDB, new ConcernChange.Push(Concern.INDEX, found.index(), built)))
        .isEqualTo(new Applied(built));
    assertThat(open().get(MYDB, Concern.INDEX)).contains(built);
  }

  @Test
  void statusAndConfigOfOlderLedgersComeWhole() {
    place("mydb/main.json", "s000-ledger.json");
    place("mydb/main.index.json", "s000-ledger.index.json");
    NameRecord plain = backend.find(MYDB).orElseThrow();
    assertThat(plain.status())
        .isEqualTo(
            value(
                89, "{\"state\":\"indexing\",\"index_lock\":{\"holder\":\"a\",\"target_t\":45}}"));
    assertThat(plain.config())
        .isEqualTo(
            value(
                2,
                "{\"default_context\":\"fluree:s3://bucket/ctx.json\","
                    + "\"replication\":{\"factor\":3}}"));
    assertThat(plain.meta().createdAt()).contains(1705312200L);
    assertThat(plain.meta().indexRev()).isEqualTo(17);
    assertThat(plain.index().payload().orElseThrow().toTree().path("txn-metadata").toString())
        .isEqualTo("{\"id\":\"fluree:s3://bucket/meta/t40\",\"t\":40,\"rev\":1}");
    place("mydb/main.json", "e3-ledger.json");
    assertThat(open().get(MYDB, Concern.STATUS))
        .contains(value(7, "{\"state\":\"indexing\",\"queue_depth\":5}"));
    place("mydb/main.json", "e2-ledger.json");
    assertThat(open().get(MYDB, Concern.CONFIG))
        .contains(value(1, "{\"default_context_id\":\"fluree:file://mydb/context/ctx.json\"}"));
  }

  /** Spec 2, row 5: a named graph may have no index, which is null. */
  @Test
  void aNamedGraphWithoutAnIndexStaysSo() {
    place("mydb/main.json", "s000-ledger.json");
    String side =
        "{\"v\":2,\"pk\":\"mydb:main\",\"index_v\":3,\"index\":"
            + "{\"default\":{\"address\":\"i5\",\"t\":5,\"rev\":0},\"txn-metadata\":null}}";
    store.put("ns@v2/mydb/main.index.json", Body.of(side), Condition.none());
    assertThat(backend.get(MYDB, Concern.INDEX))
        .contains(
            value(5, "{\"default\":{\"id\":\"i5\",\"t\":5,\"rev\":0},\"txn-metadata\":null}"));
  }

  @Test
  void todaysLedgersOfOthersAreRead() {
    place("mydb/dev.json", "e5-ledger.json");
    place("mydb/dev.index.json", "e5-ledger.index.json");
    NameRecord found = backend.find(DEV).orElseThrow();
    assertThat(found.meta().retracted()).isTrue();
    assertThat(found.meta().sourceBranch()).contains("main");
    assertThat(found.meta().branches()).isEqualTo(2);
    assertThat(found.status()).isEqualTo(value(3, "{\"state\":\"retracted\"}"));
    assertThat(found.config().watermark()).isEqualTo(1);
    assertThat(found.indexed().t()).isEqualTo(41);
    NameRecord restored = names.restore(DEV);
    assertThat(open().find(DEV)).contains(restored);
    assertThat(restored.indexed()).isEqualTo(found.indexed());
    assertThat(text("mydb/dev.json")).contains("f:branchPoint");
  }

  @ParameterizedTest
  @CsvSource({
    "e2, e2, fluree:file://search/bm25.bin, 1",
    "e3, e4, fluree:file://search/bm25.bin, 1",
    "e3, s001, bafybeigindex42, 1",
    "s000, s000, fluree:s3://bucket/bm25/search.bin, 12",
  })
  void olderGraphSourcesAreRead_names54(String era, String indexEra, String index, long statusV) {
    place("search/main.json", era + "-source.json");
    place("search/main.index.json", indexEra + "-source.index.json");
    store.put("ns@v2/search/main.snapshots.json", Body.of("{}"), Condition.none());
    NameRecord found = backend.find(SEARCH).orElseThrow();
    assertThat(found.meta().kind()).isEqualTo(RecordKind.GRAPH_SOURCE);
    assertThat(found.meta().sourceType()).contains(SourceType.BM25);
    assertThat(found.meta().dependencies()).containsExactly("mydb:main");
    assertThat(found.indexed()).isEqualTo(Ref.of(index, 42));
    assertThat(found.status().watermark()).isEqualTo(statusV);
    assertThat(found.status().payload().orElseThrow().string("state")).contains("ready");
    assertThat(found.config()).isEqualTo(value(1, "{\"k1\":1.2,\"b\":0.75}"));
    assertThat(listed()).containsExactly(found);
    NameRecord retracted = names.retract(SEARCH);
    assertThat(open().find(SEARCH)).contains(retracted);
    assertThat(retracted.index()).isEqualTo(found.index());
  }

  @Test
  void unknownKeysSurvive_names5_14() {
    for (String era : List.of("e2", "e3", "e4", "s000")) {
      place("mydb/main.json", era + "-ledger.json");
      ConcernValue before = open().get(MYDB, Concern.STATUS).orElseThrow();
      ConcernValue next = value(before.watermark() + 1, "{\"state\":\"busy\"}");
      open().change(MYDB, new ConcernChange.Push(Concern.STATUS, before, next));
      assertThat(text("mydb/main.json")).contains("note\": ");
    }
    String side =
        "{\"@context\":{\"f\":\"https://ns.flur.ee/db#\",\"x\":\"https://example.com/\"},"
            + "\"f:ledgerIndex\":{\"f:cid\":\"i\",\"f:t\":50},\"x:size\":1.20}";
    store.put("ns@v2/mydb/main.index.json", Body.of(side), Condition.none());
    names.ledgers().publishIndex(MYDB, Ref.of("j", 51));
    assertThat(text("mydb/main.index.json"))
        .contains("\"x:size\": 1.20", "\"x\": \"https://example.com/\"");
  }

  @ParameterizedTest
  @CsvSource({"5, B, 5", "3, A, 5", "11, B, 11"})
  void theSideDocumentWinsUnlessItIsOlder_names52(long sideT, String id, long t) {
    String main =
        "{\"@context\":{\"f\":\"https://ns.flur.ee/db#\"},\"@id\":\"mydb:main\","
            + "\"@type\":[\"f:LedgerSource\"],\"f:ledger\":{\"@id\":\"mydb\"},"
            + "\"f:branch\":\"main\",\"f:t\":12,\"f:commitCid\":\"c\",\"f:status\":\"ready\","
            + "\"f:ledgerIndex\":{\"f:cid\":\"A\",\"f:t\":5}}";
    String side = "{\"f:ledgerIndex\":{\"f:cid\":\"B\",\"f:t\":" + sideT + "}}";
    store.put("ns@v2/mydb/main.json", Body.of(main), Condition.none());
    store.put("ns@v2/mydb/main.index.json", Body.of(side), Condition.none());
    Ref expected = Ref.of(id, t);
    assertThat(backend.find(MYDB).orElseThrow().indexed()).isEqualTo(expected);
    assertThat(names.ledgers().heads(MYDB).orElseThrow().index()).isEqualTo(expected);
    assertThat(listed().get(0).indexed()).isEqualTo(expected);
    ConcernValue index = backend.get(MYDB, Concern.INDEX).orElseThrow();
    assertThat(index.watermark()).isEqualTo(t);
    names.ledgers().publishIndexAllowEqual(MYDB, Ref.of("D", t));
    assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("D", t));
  }

  /** Fluree writes a document anew and leaves out what it doesn't know; see spec 1.4. */
  @Test
  void whatOthersWriteBesideOurDocumentsCounts() {
    names.create(MYDB);
    names.ledgers().publishIndex(MYDB, Ref.of("i5", 5));
    bareIndex("j10", 10);
    assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("j10", 10));
    assertThat(listed().get(0).indexed()).isEqualTo(Ref.of("j10", 10));
    assertThat(names.ledgers().publishIndex(MYDB, Ref.of("i7", 7)).updated()).isFalse();
    assertThat(names.ledgers().publishIndex(MYDB, Ref.of("i11", 11)).updated()).isTrue();
    assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i11", 11));
    names.retract(MYDB);
    bareIndex("j12", 12);
    assertThat(names.restore(MYDB).indexed()).isEqualTo(Ref.of("j12", 12));
    names.ledgers().reset(MYDB, new Ledgers.Heads(Ref.UNBORN, Ref.UNBORN));
    bareIndex("j1", 1);
    assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("j1", 1));
    names.purge(MYDB);
    names.create(MYDB);
    assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.UNBORN);
  }

  /** A retracted record has a document for its index, and Fluree wants {@code f:t} in there. */
  @Test
  void aDocumentForTheIndexSaysHowFarItIsThoughThereIsNone() {
    names.create(MYDB);
    names.retract(MYDB);
    names.restore(MYDB);
    assertThat(index()).isEqualTo("{\"f:t\":0}");
    assertThat(open().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
    ConcernValue other = value(5, "{\"txn-metadata\":{\"id\":\"m\",\"t\":5,\"rev\":0}}");
    open().change(MYDB, new ConcernChange.Push(Concern.INDEX, ConcernValue.UNBORN, other));
    assertThat(index()).isEqualTo("{\"f:t\":5}");
    assertThat(open().get(MYDB, Concern.INDEX)).contains(other);
    ConcernValue none = new ConcernValue(6, Optional.empty());
    open().change(MYDB, new ConcernChange.Push(Concern.INDEX, other, none));
    assertThat(index()).isEqualTo("{\"f:t\":6}");
    assertThat(open().get(MYDB, Concern.INDEX)).contains(none);
  }

  /** Spec 5.5, as Fluree sees it: it knows of no seals, and drops them when it commits. */
  @Test
  void aResetHoldsForOtherProgramsToo_names40_names5_5() {
    names.create(MYDB);
    names.ledgers().publishIndex(MYDB, Ref.of("i5", 5));
    names.ledgers().reset(MYDB, new Ledgers.Heads(Ref.of("c1", 1), Ref.UNBORN));
    assertThat(index()).isEqualTo("{\"f:t\":0}");
    String main =
        "{\"@id\":\"mydb:main\",\"@type\":[\"f:LedgerSource\"],\"f:ledger\":{\"@id\":\"mydb\"},"
            + "\"f:branch\":\"main\",\"f:commitCid\":\"c2\",\"f:t\":2,\"f:status\":\"ready\"}";
    store.put("ns@v2/mydb/main.json", Body.of(main), Condition.none());
    assertThat(open().find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.UNBORN);
    assertThat(names.ledgers().publishIndex(MYDB, Ref.of("i2", 2)).updated()).isTrue();
  }

  private String index() {
    byte[] bytes = text("mydb/main.index.json").getBytes(StandardCharsets.UTF_8);
    return DocumentJson.parse("", bytes).path("f:ledgerIndex").toString();
  }

  private void bareIndex(String id, long t) {
    String side =
        "{\"@context\":{\"f\":\"https://ns.flur.ee/db#\"},"
            + "\"f:ledgerIndex\":{\"f:cid\":\"%s\",\"f:t\":%d}}";
    store.put("ns@v2/mydb/main.index.json", Body.of(side.formatted(id, t)), Condition.none());
  }

  private List<NameRecord> listed() {
    try (Stream<NameRecord> records = open().list("", "")) {
      return records.toList();
    }
  }

  private static ConcernValue value(long watermark, String json) {
    return ConcernValue.of(watermark, Payload.parse(json));
  }

  private String text(String key) {
    return store.get("ns@v2/" + key).orElseThrow().text();
  }

  /** Puts a fixture there, or nothing when there is no such fixture. */
  private void place(String key, String fixture) {
    if (FormatTest.class.getResource(fixture) != null) {
      store.put("ns@v2/" + key, Body.of(fixture(fixture)), Condition.none());
    }
  }

  private static String fixture(String name) {
    try (InputStream stream = requireNonNull(FormatTest.class.getResourceAsStream(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
