// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Lock;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.names.SourceType;
import io.tidemark.names.view.RecordJson;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of which a store holds more than a body of a request may say. */
final class UnusualRecordsTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String DEEP = "{\"d\":".repeat(100) + "1" + "}".repeat(100);
  private static final String DEEPER = "{\"d\":".repeat(990) + "1" + "}".repeat(990);
  private static final String HUGE = "{\"n\":1e2147483647,\"m\":-1E-2147483000}";
  private static final String HALVES = "{\"a\":\"\ud800\",\"b\":\"\\ud83d\"}";

  private static NamesServer server;

  private MemoryNameBackend store;
  private NameService names;

  @BeforeAll
  static void start() {
    server = new NamesServer(new MemoryNameBackend());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void serve() {
    store = new MemoryNameBackend();
    server.serve(store);
    names = new NameService(server.client());
  }

  @AfterEach
  void close() {
    names.close();
  }

  /** Puts a record into the store whose config and head say what no push could bring there. */
  private NameRecord stored(String config) {
    names.create(MYDB);
    Payload text = Payload.parse(config);
    Payload head = Payload.parse("{\"id\":\"c1\",\"t\":1,\"more\":" + config + "}");
    Payload status = Payload.parse("{\"state\":\"busy\",\"more\":" + config + "}");
    return store
        .edit(
            MYDB,
            seen ->
                EditDecision.replace(
                    seen,
                    seen.with(Concern.CONFIG, ConcernValue.of(1, text), 5)
                        .with(Concern.STATUS, ConcernValue.of(2, status), 5)
                        .with(Concern.HEAD, ConcernValue.of(1, head), 5)))
        .orElseThrow()
        .after()
        .orElseThrow();
  }

  private void isAsStored(NameRecord before) {
    NameRecord now = store.find(MYDB).orElseThrow();
    assertThat(now.head()).isEqualTo(before.head());
    assertThat(now.config()).isEqualTo(before.config());
    assertThat(now.config().payload().map(Payload::toJson))
        .isEqualTo(before.config().payload().map(Payload::toJson));
  }

  @ParameterizedTest
  @ValueSource(strings = {DEEP_TEXT, DEEPER_TEXT, HUGE_TEXT, HALVES_TEXT})
  void theyAreReadRetractedRestoredAndPurgedByAClient(String which) {
    NameRecord before = stored(text(which));
    assertThat(names.find(MYDB)).contains(before);
    assertThat(names.list(RecordFilter.all())).containsExactly(before);
    assertThat(names.get(MYDB, Concern.HEAD)).contains(before.head());

    names.retract(MYDB);
    isAsStored(before);
    names.restore(MYDB);
    isAsStored(before);
    assertThat(store.find(MYDB).orElseThrow().status().payload())
        .isEqualTo(before.status().payload());
    names.ledgers().resetCommit(MYDB, Ref.of("c1", 1));
    assertThat(store.find(MYDB).orElseThrow().config()).isEqualTo(before.config());
    assertThat(names.purge(MYDB)).isTrue();
    assertThat(store.find(MYDB)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {DEEP_TEXT, DEEPER_TEXT, HUGE_TEXT, HALVES_TEXT})
  void theyAreRetractedAndRestoredByRoutes(String which) {
    NameRecord before = stored(text(which));
    assertThat(server.server().send("POST", "/v1/names/mydb/retract", "").statusCode())
        .isEqualTo(200);
    isAsStored(before);
    assertThat(server.server().send("POST", "/v1/names/mydb/restore", "").statusCode())
        .isEqualTo(200);
    isAsStored(before);
  }

  private static final String DEEP_TEXT = "deep";
  private static final String DEEPER_TEXT = "deeper";
  private static final String HUGE_TEXT = "huge";
  private static final String HALVES_TEXT = "halves";

  private static String text(String which) {
    return switch (which) {
      case DEEP_TEXT -> DEEP;
      case DEEPER_TEXT -> DEEPER;
      case HUGE_TEXT -> HUGE;
      default -> HALVES;
    };
  }

  @Test
  void halvesOfSurrogatePairsAreServedAsEscapesAndToldApart() {
    stored(HALVES);
    HttpResponse<String> one = server.server().get("/v1/names/mydb/config");
    assertThat(one.body().toLowerCase(Locale.ROOT))
        .contains("{\"a\":\"\\ud800\",\"b\":\"\\ud83d\"}");
    store.edit(
        MYDB,
        seen ->
            EditDecision.replace(
                seen,
                seen.with(
                    Concern.CONFIG,
                    ConcernValue.of(1, Payload.parse(HALVES.replace("ud83d", "ud83e"))),
                    5)));
    HttpResponse<String> other = server.server().get("/v1/names/mydb/config");
    assertThat(other.headers().firstValue("ETag")).isNotEqualTo(one.headers().firstValue("ETag"));
  }

  @ParameterizedTest
  @ValueSource(strings = {DEEP_TEXT, DEEPER_TEXT, HUGE_TEXT, HALVES_TEXT})
  void theirStatesAreReplacedByAClient(String which) {
    NameRecord before = stored(text(which));
    ConcernValue next = ConcernValue.of(2, Payload.parse("{}"));
    assertThat(names.push(MYDB, Concern.CONFIG, Optional.of(before.config()), next).updated())
        .isTrue();
    assertThat(
            names
                .push(
                    MYDB,
                    Concern.HEAD,
                    Optional.of(before.head()),
                    ConcernValue.of(2, Payload.parse("{\"id\":\"c2\",\"t\":2}")))
                .updated())
        .isTrue();
  }

  @Test
  void aLockWhoseHolderHasHalfOfASurrogatePairIsReleased() {
    names.create(MYDB);
    SoftLocks locks = new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(10));
    locks.acquire(MYDB, Purpose.INDEX, "HOLDER", OptionalLong.empty());
    store.edit(
        MYDB,
        seen -> {
          String status = seen.status().payload().orElseThrow().toJson();
          Payload old = Payload.parse(status.replace("HOLDER", "me\ud800"));
          return EditDecision.replace(
              seen, seen.with(Concern.STATUS, ConcernValue.of(seen.status().watermark(), old), 5));
        });

    Lock lock = locks.find(MYDB, Purpose.INDEX).orElseThrow();
    assertThat(lock.holder()).isEqualTo("me\ud800");
    assertThat(locks.release(MYDB, Purpose.INDEX, lock)).isTrue();
    assertThat(locks.find(MYDB, Purpose.INDEX)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /v1/names/mydb/heads {'commit':{'id':'c\\ud800','t':1}}",
        "POST /v1/names/mydb/reset {'commit':{'id':'c\\ud800','t':1}}",
        "PUT /v1/names/mydb/config {'expected':{'watermark':0,'payload':null},'next':{'watermark':1,'payload':{'x':'\\udc00'}}}",
        "POST /v1/names/mydb/locks/index {'holder':'\\ud800'}",
        "PUT /v1/names/text/source {'type':'f:X\\ud800','config':{}}",
        "PUT /v1/names/text/source {'type':'f:X','config':{},'dependencies':['\\ud800']}",
        "POST /v1/names/mydb/branches {'branch':'dev','at':{'id':'\\ud800','t':1}}",
        "PUT /v1/marker {'text':'\\ud800'}",
      })
  void routesRefuseHalfOfASurrogatePair(String request) {
    names.create(MYDB);
    String[] parts = request.split(" ", 3);
    HttpResponse<String> response =
        server.server().send(parts[0], parts[1], parts[2].replace('\'', '"'));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(response.body()).contains("half of a surrogate pair");
  }

  @Test
  void aParameterWithHalfOfASurrogatePairIsRefusedByTheClient() {
    NameBackend client = server.client();
    assertThatThrownBy(() -> client.list("a\ud800", "").close())
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("half of a surrogate pair");
  }

  @Test
  void aRecordIsReplacedByWhatChangesOnly() {
    NameRecord before = stored(DEEP);
    HttpResponse<String> shown = server.server().get("/v1/names/mydb");
    String tag = shown.headers().firstValue("ETag").orElseThrow();
    assertThat(tag).isNotEmpty();
    names.ledgers().reset(MYDB, new Heads(Ref.of("c9", 9), Ref.UNBORN));
    assertThat(store.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("c9", 9));
    assertThat(store.find(MYDB).orElseThrow().config()).isEqualTo(before.config());
  }

  @ParameterizedTest
  @ValueSource(strings = {DEEP_TEXT, DEEPER_TEXT, HUGE_TEXT})
  void theyAreWrittenByAClientAndServed(String which) {
    ConcernValue config = ConcernValue.of(1, Payload.parse(text(which)));
    names.create(MYDB);
    names.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), config);
    assertThat(store.get(MYDB, Concern.CONFIG)).contains(config);
    for (String path : List.of("/v1/names", "/v1/names/mydb", "/v1/names/mydb/config")) {
      assertThat(server.server().get(path).statusCode()).as(path).isEqualTo(200);
    }
    Address text = Address.parse("text");
    Payload payload = config.payload().orElseThrow();
    names.graphSources().publish(text, SourceType.BM25, payload, List.of());
    assertThat(store.get(text, Concern.CONFIG)).contains(config);
    assertThat(names.find(text)).isEqualTo(store.find(text));
  }

  @Test
  void aDependencyWithHalfOfASurrogatePairIsRefusedUnlessItIsStored() {
    Address text = Address.parse("text");
    NameService own = new NameService(store);
    own.graphSources().publish(text, SourceType.BM25, Payload.parse("{}"), List.of("DEPENDENCY"));
    NameRecord made = store.find(text).orElseThrow();
    NameRecord halved =
        RecordJson.record(
            RecordJson.of(made).set("dependencies", RecordJson.of(made).arrayNode().add("\ud800")));
    try (NameBackend client = server.client()) {
      assertThatThrownBy(() -> client.edit(text, seen -> EditDecision.replace(seen, halved)))
          .isInstanceOf(InvalidPayloadException.class)
          .hasMessageContaining("half of a surrogate pair");
    }
    store.edit(text, seen -> EditDecision.replace(seen, halved));
    names.retract(text);
    names.restore(text);
    assertThat(store.find(text).orElseThrow().meta().dependencies()).containsExactly("\ud800");
  }
}
