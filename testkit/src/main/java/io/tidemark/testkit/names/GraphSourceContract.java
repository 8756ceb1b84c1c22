// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.I2;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.NOPE;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.json;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.GraphSources;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.names.PushResult.Updated;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.RetractedException;
import io.tidemark.names.SourceType;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Graph sources: set up, indexed, retracted; and the spellings of their types. */
interface GraphSourceContract {

  NamesFixture fixture();

  private GraphSources sources() {
    return fixture().names().graphSources();
  }

  private static ConcernValue sourceIndex(String id, long t) {
    return value(t, "{'id':'" + id + "','index_t':" + t + "}");
  }

  private NameRecord search() {
    return sources()
        .publish(SEARCH, SourceType.BM25, json("{'k1':1.2,'b':0.75}"), List.of("src:main"));
  }

  @Test
  default void aGraphSourceComesBackExactly_names45() {
    String text = "{ \"k1\": 1.2,\n \"b\":0.75 }";
    NameRecord made =
        sources().publish(SEARCH, SourceType.BM25, Payload.parse(text), List.of("src:main"));
    NameRecord record = fixture().record(SEARCH);
    assertThat(record).isEqualTo(made);
    assertThat(record.meta().kind()).isEqualTo(RecordKind.GRAPH_SOURCE);
    assertThat(record.meta().sourceType()).contains(SourceType.BM25);
    assertThat(record.meta().dependencies()).containsExactly("src:main");
    assertThat(record.config().watermark()).isEqualTo(1);
    assertThat(record.config().payload().orElseThrow().toJson()).isEqualTo(text);
    assertThat(record.indexed()).isEqualTo(Ref.UNBORN);
    assertThat(record.status()).isEqualTo(READY);
    assertThat(record.meta().retracted()).isFalse();
    assertThat(record.meta().createdAt()).contains(NamesFixture.NOW.getEpochSecond());
  }

  @Test
  default void theIndexOfAGraphSourceMovesOnlyForward_names46() {
    search();
    assertThat(sources().publishIndex(SEARCH, Ref.of(I1, 10)))
        .isEqualTo(new Updated(sourceIndex(I1, 10)));
    assertThat(sources().publishIndex(SEARCH, Ref.of(I2, 20)))
        .isEqualTo(new Updated(sourceIndex(I2, 20)));
    Conflict there = new Conflict(Optional.of(sourceIndex(I2, 20)));
    assertThat(sources().publishIndex(SEARCH, Ref.of(I1, 15))).isEqualTo(there);
    assertThat(sources().publishIndex(SEARCH, Ref.of(I1, 20))).isEqualTo(there);
    assertThat(fixture().record(SEARCH).indexed()).isEqualTo(Ref.of(I2, 20));
    assertThat(fixture().get(SEARCH, Concern.INDEX)).contains(sourceIndex(I2, 20));
    assertThat(fixture().record(SEARCH).meta().indexRev()).isEqualTo(2);
  }

  @Test
  default void publishingAGraphSourceAgainChangesItsConfigOnly_names46() {
    search();
    sources().publishIndex(SEARCH, Ref.of(I2, 20));
    sources().publish(SEARCH, SourceType.HNSW, json("{'k1':2}"), List.of("a:main", "b:main"));
    NameRecord record = fixture().record(SEARCH);
    assertThat(record.config()).isEqualTo(value(2, "{'k1':2}"));
    assertThat(record.meta().sourceType()).contains(SourceType.HNSW);
    assertThat(record.meta().dependencies()).containsExactly("a:main", "b:main");
    assertThat(record.indexed()).isEqualTo(Ref.of(I2, 20));
    assertThat(record.status()).isEqualTo(READY);
    assertThat(record.meta().indexRev()).isEqualTo(1);
  }

  @Test
  default void publishingARetractedGraphSourceKeepsItRetracted_names46() {
    search();
    sources().retract(SEARCH);
    sources().publish(SEARCH, SourceType.BM25, json("{'k1':3}"), List.of());
    NameRecord record = fixture().record(SEARCH);
    assertThat(record.meta().retracted()).isTrue();
    assertThat(record.config()).isEqualTo(value(2, "{'k1':3}"));
    assertThat(record.status().payload().orElseThrow().string("state")).contains("retracted");
  }

  @Test
  default void aGraphSourceIsRetractedAndRestored() {
    search();
    sources().publishIndex(SEARCH, Ref.of(I1, 10));
    NameRecord once = sources().retract(SEARCH);
    assertThat(once.meta().retracted()).isTrue();
    assertThat(once.status().watermark()).isEqualTo(2);
    assertThat(sources().retract(SEARCH)).isEqualTo(once);
    assertThatThrownBy(() -> sources().publishIndex(SEARCH, Ref.of(I2, 20)))
        .isInstanceOf(RetractedException.class)
        .hasMessageContaining("search:main");
    fixture().names().restore(SEARCH);
    assertThat(fixture().record(SEARCH).status()).isEqualTo(state(3, "ready"));
    assertThat(sources().publishIndex(SEARCH, Ref.of(I2, 20)).updated()).isTrue();
  }

  @Test
  default void ledgersAndGraphSourcesAreToldApart_names47() {
    fixture().names().create(MYDB);
    search();
    assertThat(fixture().names().ledgers().find(SEARCH)).isEmpty();
    assertThat(fixture().names().ledgers().heads(SEARCH)).isEmpty();
    assertThat(sources().find(MYDB)).isEmpty();
    assertThat(sources().find(SEARCH)).isPresent();
    assertThat(fixture().record(MYDB).meta().kind()).isEqualTo(RecordKind.LEDGER);
    assertThat(fixture().record(SEARCH).meta().kind()).isEqualTo(RecordKind.GRAPH_SOURCE);
    assertThat(fixture().names().find(NOPE)).isEmpty();
    assertThat(fixture().names().branches().list("search")).isEmpty();
  }

  @Test
  default void anUnknownGraphSourceIsNeitherIndexedNorRetracted_names47() {
    assertThatThrownBy(() -> sources().publishIndex(NOPE, Ref.of(I1, 1)))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("nope:main");
    assertThatThrownBy(() -> sources().retract(NOPE)).isInstanceOf(NotFoundException.class);
    fixture().names().create(MYDB);
    assertThatThrownBy(() -> sources().publishIndex(MYDB, Ref.of(I1, 1)))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> sources().retract(MYDB)).isInstanceOf(NotFoundException.class);
    assertThat(fixture().record(MYDB).index()).isEqualTo(ConcernValue.UNBORN);
    assertThat(fixture().record(MYDB).meta().retracted()).isFalse();
    assertThat(fixture().listed()).containsExactly("mydb:main");
  }

  @Test
  default void whatIsOfTheOtherKindIsNotCalledMissing() {
    NameRecord source = search();
    Ledgers ledgers = fixture().names().ledgers();
    List<ThrowingCallable> writes =
        List.of(
            () -> ledgers.publishCommit(SEARCH, Ref.of(C1, 1)),
            () -> ledgers.publishIndex(SEARCH, Ref.of(I1, 1)),
            () -> ledgers.resetCommit(SEARCH, Ref.of(C1, 1)),
            () -> ledgers.reset(SEARCH, new Ledgers.Heads(Ref.of(C1, 1), Ref.UNBORN)));
    for (ThrowingCallable write : writes) {
      assertThatThrownBy(write)
          .isInstanceOf(NotFoundException.class)
          .hasMessage(
              "there is no ledger search:main but a graph source, which has no commits; publish its"
                  + " index as a graph source's, or check the address");
    }
    assertThat(fixture().record(SEARCH)).isEqualTo(source);
    fixture().names().create(MYDB);
    assertThatThrownBy(() -> sources().publishIndex(MYDB, Ref.of(I1, 1)))
        .isInstanceOf(NotFoundException.class)
        .hasMessageStartingWith("there is no graph source mydb:main but a ledger");
  }

  @Test
  default void anIndexOfAGraphSourceNeedsAnId() {
    search();
    assertThatThrownBy(() -> sources().publishIndex(SEARCH, new Ref(Optional.empty(), 3)))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("search:main");
    assertThat(fixture().get(SEARCH, Concern.INDEX)).contains(ConcernValue.UNBORN);
  }

  @Test
  default void aGraphSourceIsNotMadeOverALedger_decision4_names5_9() {
    NameRecord before = fixture().ledger(MYDB, C1, 1);
    assertThatThrownBy(
            () -> sources().publish(MYDB, SourceType.BM25, json("{}"), List.of("src:main")))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("ledger");
    assertThat(fixture().record(MYDB)).isEqualTo(before);
    NameRecord retracted = fixture().names().retract(MYDB);
    assertThatThrownBy(() -> sources().publish(MYDB, SourceType.BM25, json("{}"), List.of()))
        .isInstanceOf(AlreadyExistsException.class);
    assertThat(fixture().record(MYDB)).isEqualTo(retracted);
  }

  @Test
  default void aLedgerIsNotMadeOverAGraphSource_decision4_names5_10() {
    NameRecord before = search();
    assertThatThrownBy(() -> fixture().names().create(SEARCH))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("graph source");
    fixture().ledger(MYDB, C1, 1);
    sources().publish(MYDB.onBranch("dev"), SourceType.GEO, json("{}"), List.of());
    assertThatThrownBy(() -> fixture().names().branches().create(MYDB, "dev", Optional.empty()))
        .isInstanceOf(AlreadyExistsException.class);
    assertThat(fixture().record(SEARCH)).isEqualTo(before);
    assertThat(fixture().record(MYDB).meta().branches()).isZero();
  }

  @Test
  default void aPurgedGraphSourceLeavesItsName() {
    search();
    sources().publishIndex(SEARCH, Ref.of(I1, 10));
    fixture().names().purge(SEARCH);
    assertThat(fixture().names().find(SEARCH)).isEmpty();
    fixture().names().create(SEARCH);
    assertThat(fixture().record(SEARCH).meta().kind()).isEqualTo(RecordKind.LEDGER);
    assertThat(fixture().record(SEARCH).index()).isEqualTo(ConcernValue.UNBORN);
    assertThat(fixture().record(SEARCH).config()).isEqualTo(ConcernValue.UNBORN);
    assertThat(fixture().record(SEARCH).meta().dependencies()).isEmpty();
  }

  @Test
  default void statusAndConfigOfAGraphSourceArePushed() {
    search();
    ConcernValue config = fixture().get(SEARCH, Concern.CONFIG).orElseThrow();
    assertThat(
            fixture()
                .names()
                .push(SEARCH, Concern.CONFIG, Optional.of(config), value(2, "{'k1':9}")))
        .isEqualTo(new Updated(value(2, "{'k1':9}")));
    assertThat(fixture().names().push(SEARCH, Concern.STATUS, Optional.of(READY), state(2, "busy")))
        .isEqualTo(new Updated(state(2, "busy")));
    assertThat(fixture().record(SEARCH).config()).isEqualTo(value(2, "{'k1':9}"));
    assertThat(fixture().record(SEARCH).status()).isEqualTo(state(2, "busy"));
  }

  @Test
  default void dependenciesKeepTheirOrder() {
    List<String> dependencies = List.of("z:main", "a:dev", "https://example.com/x", "a:main");
    sources().publish(SEARCH, SourceType.JDBC, json("{}"), dependencies);
    assertThat(fixture().record(SEARCH).meta().dependencies()).isEqualTo(dependencies);
    assertThat(fixture().another().find(SEARCH).orElseThrow().meta().dependencies())
        .isEqualTo(dependencies);
  }

  @ParameterizedTest
  @CsvSource({
    "f:Bm25Index, f:Bm25Index",
    "db:Bm25Index, f:Bm25Index",
    "fidx:BM25, f:Bm25Index",
    "vg:bm25, f:Bm25Index",
    "https://ns.flur.ee/db#Bm25Index, f:Bm25Index",
    "f:HnswIndex, f:HnswIndex",
    "fidx:Vector, f:HnswIndex",
    "vg:vector, f:HnswIndex",
    "f:GeoIndex, f:GeoIndex",
    "db:GeoIndex, f:GeoIndex",
    "f:IcebergSource, f:IcebergSource",
    "f:IcebergMapping, f:IcebergSource",
    "https://ns.flur.ee/db#IcebergMapping, f:IcebergSource",
    "fidx:Iceberg, f:IcebergSource",
    "f:R2rmlSource, f:R2rmlSource",
    "f:R2rmlMapping, f:R2rmlSource",
    "db:R2rmlMapping, f:R2rmlSource",
    "fidx:R2RML, f:R2rmlSource",
    "f:JdbcSource, f:JdbcSource",
    "https://example.com/Custom, https://example.com/Custom",
    "Custom, Custom",
    "f:Unheard, f:Unheard",
  })
  default void everySpellingOfATypeIsThatType_names49(String spelled, String canonical) {
    sources().publish(SEARCH, new SourceType(spelled), json("{}"), List.of());
    assertThat(fixture().record(SEARCH).meta().sourceType().orElseThrow().value())
        .isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t"})
  default void aTypeIsNotBlank(String blank) {
    assertThatThrownBy(() -> new SourceType(blank)).isInstanceOf(InvalidPayloadException.class);
  }
}
