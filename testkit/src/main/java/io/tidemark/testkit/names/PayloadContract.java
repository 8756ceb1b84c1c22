// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C1;
import static io.tidemark.testkit.names.Samples.C2;
import static io.tidemark.testkit.names.Samples.I1;
import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.READY;
import static io.tidemark.testkit.names.Samples.SEARCH;
import static io.tidemark.testkit.names.Samples.head;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.state;
import static io.tidemark.testkit.names.Samples.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.Ledgers.Heads;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult.Conflict;
import io.tidemark.names.PushResult.Updated;
import io.tidemark.names.Ref;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SourceType;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads come back as they went in, or are refused. */
interface PayloadContract {

  NamesFixture fixture();

  private static ConcernValue config(String text) {
    return ConcernValue.of(1, Payload.parse(text));
  }

  private void pushConfig(String text) {
    fixture().names().create(MYDB);
    fixture().names().push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), config(text));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 9007199254740993L, Long.MAX_VALUE})
  default void aTOf64BitsRoundTrips_names50(long t) {
    fixture().ledger(MYDB, C1, t);
    fixture().names().ledgers().publishIndex(MYDB, Ref.of(I1, t));
    assertThat(fixture().record(MYDB).commit()).isEqualTo(Ref.of(C1, t));
    assertThat(fixture().record(MYDB).indexed()).isEqualTo(Ref.of(I1, t));
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, t));
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(index(I1, t, 0));
    assertThat(fixture().another().find(MYDB)).contains(fixture().record(MYDB));
  }

  @Test
  default void neighboursBeyondDoublePrecisionAreToldApart_names50() {
    long t = 9007199254740992L;
    fixture().ledger(MYDB, C1, t);
    assertThat(fixture().names().ledgers().publishCommit(MYDB, Ref.of(C2, t + 1)))
        .isEqualTo(new Updated(head(C2, t + 1)));
    assertThat(
            fixture()
                .names()
                .ledgers()
                .compareAndSetCommit(MYDB, Optional.of(Ref.of(C2, t)), Ref.of(C1, t + 2))
                .updated())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"n\":9007199254740993}",
        "{\"n\":9223372036854775807,\"m\":-9223372036854775808}",
        "{\"n\":123456789012345678901234567890}",
        "{\"n\":0.1,\"m\":1.10,\"e\":1E+2,\"f\":-0.0000001}",
        "{\"n\":3.14159265358979323846264338327950288}",
        "{\"s\":\"\",\"t\":\"\\u0000\\n\\\"\\\\/\",\"u\":\"Grüße, 世界 \uD83D\uDE80\"}",
        "{\"b\":true,\"c\":false,\"d\":null,\"e\":[],\"f\":{},\"g\":[null,[1,[2]],{}]}",
        "{\"\":1,\" \":2,\"a.b\":3,\"#x\":4,\":v\":5,\"@id\":\"x\",\"f:t\":7,\"state\":8}",
        "{\"v\":1,\"payload\":2,\"watermark\":3,\"pk\":\"x\",\"sk\":\"y\",\"schema\":9}"
      })
  default void anyJsonObjectRoundTrips(String text) {
    pushConfig(text);
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(config(text));
    assertThat(fixture().record(MYDB).config()).isEqualTo(config(text));
    assertThat(fixture().another().get(MYDB, Concern.CONFIG)).contains(config(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "5",
        "\"text\"",
        "[]",
        "null",
        "true",
        "{",
        "{\"a\":}",
        "{} {}",
        "{\"a\":1,\"a\":2}",
        "{'a':1}",
        "{\"a\":NaN}"
      })
  default void whatIsNoJsonObjectIsRefused(String text) {
    assertThatThrownBy(() -> Payload.parse(text)).isInstanceOf(InvalidPayloadException.class);
  }

  @Test
  default void aPayloadOverTheLimitIsRefusedWithItsAddress() {
    NameService small = fixture().service(fixture().backend(), 40);
    fixture().names().create(MYDB);
    ConcernValue fits = config("{\"a\":\"" + "x".repeat(40 - 8) + "\"}");
    ConcernValue over = config("{\"a\":\"" + "x".repeat(41 - 8) + "\"}");
    assertThat(fits.payload().orElseThrow().size()).isEqualTo(40);
    assertThatThrownBy(
            () -> small.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), over))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("41")
        .hasMessageContaining("40");
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(ConcernValue.UNBORN);
    assertThat(small.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), fits))
        .isEqualTo(new Updated(fits));
  }

  @Test
  default void theLimitCountsBytes() {
    NameService small = fixture().service(fixture().backend(), 40);
    fixture().names().create(MYDB);
    ConcernValue wide = config("{\"a\":\"" + "ü".repeat(20) + "\"}");
    assertThatThrownBy(
            () -> small.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), wide))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("48");
  }

  @Test
  default void theLimitHoldsForEveryConcernAndForGraphSources() {
    NameService small = fixture().service(fixture().backend(), 60);
    NameRecord before = fixture().ledger(MYDB, C1, 1);
    String longId = "c".repeat(61);
    assertThatThrownBy(() -> small.ledgers().publishCommit(MYDB, Ref.of(longId, 2)))
        .isInstanceOf(InvalidPayloadException.class);
    assertThatThrownBy(() -> small.ledgers().publishIndex(MYDB, Ref.of(longId, 2)))
        .isInstanceOf(InvalidPayloadException.class);
    assertThatThrownBy(() -> small.push(MYDB, Concern.STATUS, Optional.of(READY), state(2, longId)))
        .isInstanceOf(InvalidPayloadException.class);
    assertThatThrownBy(
            () ->
                small
                    .graphSources()
                    .publish(
                        SEARCH,
                        SourceType.BM25,
                        Payload.parse("{\"a\":\"" + longId + "\"}"),
                        List.of()))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("search:main");
    assertThat(fixture().record(MYDB)).isEqualTo(before);
    assertThat(fixture().names().find(SEARCH)).isEmpty();
  }

  @Test
  default void anExpectedNumberCountsByItsValueHoweverItIsWritten() {
    for (Concern concern : List.of(Concern.STATUS, Concern.CONFIG)) {
      NameRecord made = fixture().names().create(MYDB);
      ConcernValue written = value(2, "{'state':'x','n':1.0,'m':100,'l':[0.50]}");
      ConcernValue same = value(2, "{'l':[5e-1],'m':1e2,'n':1,'state':'x'}");
      ConcernValue other = value(2, "{'l':[5e-1],'m':1e2,'n':1.01,'state':'x'}");
      ConcernValue next = value(3, "{'state':'y'}");
      fixture().names().push(MYDB, concern, Optional.of(made.concern(concern)), written);
      assertThat(fixture().names().push(MYDB, concern, Optional.of(other), next))
          .isEqualTo(new Conflict(Optional.of(same)));
      assertThat(fixture().another().push(MYDB, concern, Optional.of(same), next))
          .isEqualTo(new Updated(next));
      fixture().names().purge(MYDB);
    }
  }

  @Test
  default void aLargePayloadRoundTrips() {
    String text = "{\"a\":\"" + "x".repeat(200_000) + "\"}";
    pushConfig(text);
    assertThat(fixture().get(MYDB, Concern.CONFIG)).contains(config(text));
  }

  @Test
  default void aWatermarkIsNotNegative() {
    assertThatThrownBy(() -> new ConcernValue(-1, Optional.empty()))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> Ref.of(C1, -1)).isInstanceOf(InvalidPayloadException.class);
    assertThatThrownBy(() -> Ref.of("", 1)).isInstanceOf(InvalidPayloadException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'id':'c','t':3}",
        "{'id':'c','t':'2'}",
        "{'id':'c'}",
        "{'id':'','t':2}",
        "{'id':7,'t':2}",
        "{'t':2}",
        "{}"
      })
  default void aHeadHasAnIdAndItsT(String payload) {
    fixture().ledger(MYDB, C1, 1);
    ConcernValue next = value(2, payload);
    assertThatThrownBy(
            () -> fixture().names().push(MYDB, Concern.HEAD, Optional.of(head(C1, 1)), next))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThatThrownBy(() -> fixture().names().advance(MYDB, Concern.HEAD, next))
        .isInstanceOf(InvalidPayloadException.class);
    assertThat(fixture().get(MYDB, Concern.HEAD)).contains(head(C1, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'default':{'id':'','t':2}}", "{'id':'','index_t':2}"})
  default void anIndexHasNoEmptyId(String payload) {
    fixture().ledger(MYDB, C1, 1);
    assertThatThrownBy(() -> fixture().names().advance(MYDB, Concern.INDEX, value(2, payload)))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("mydb:main");
    assertThat(fixture().get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
  }

  @ParameterizedTest
  @EnumSource
  default void halfOfASurrogatePairIsRefusedInEveryConcern(Concern concern) {
    NameRecord made = fixture().names().create(MYDB);
    for (String half : List.of("\ud83d", "x\ude00", "\ude00\ud83d")) {
      for (String json :
          List.of(
              "{\"id\":\"" + half + "\",\"t\":9,\"state\":\"s\"}",
              "{\"id\":\"c\",\"t\":9,\"state\":\"s\",\"more\":[{\"" + half + "\":1}]}")) {
        ConcernValue next = value(9, json);
        isRefused(
            () -> fixture().names().push(MYDB, concern, Optional.of(made.concern(concern)), next));
      }
    }
    assertThat(fixture().record(MYDB)).isEqualTo(made);
  }

  @Test
  default void halfOfASurrogatePairIsRefusedInIdsAndHolders() {
    NameService names = fixture().names();
    NameRecord made = fixture().ledger(MYDB, C1, 1);
    String half = "c\ud800";
    Ref ref = Ref.of(half, 2);
    isRefused(() -> names.ledgers().publishCommit(MYDB, ref));
    isRefused(() -> names.ledgers().compareAndSetCommit(MYDB, Optional.of(Ref.of(C1, 1)), ref));
    isRefused(() -> names.ledgers().publishIndex(MYDB, ref));
    isRefused(() -> names.ledgers().resetCommit(MYDB, ref));
    isRefused(() -> names.ledgers().reset(MYDB, new Heads(Ref.of(C1, 1), ref)));
    isRefused(() -> names.branches().create(MYDB, "dev", Optional.of(ref)));
    isRefused(() -> names.push(SEARCH, Concern.HEAD, Optional.empty(), head(half, 2)));
    isRefused(
        () ->
            new SoftLocks(names, Clock.systemUTC(), Duration.ofSeconds(60))
                .acquire(MYDB, SoftLocks.Purpose.INDEX, half, OptionalLong.empty()));
    Payload config = Payload.parse("{}");
    isRefused(() -> names.graphSources().publish(SEARCH, SourceType.BM25, config, List.of(half)));
    isRefused(() -> names.graphSources().publish(SEARCH, new SourceType(half), config, List.of()));
    assertThat(fixture().record(MYDB)).isEqualTo(made);
    assertThat(names.find(SEARCH)).isEmpty();
  }

  private static void isRefused(ThrowingCallable write) {
    assertThatThrownBy(write)
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("half of a surrogate pair");
  }

  @Test
  default void wholePairsOfSurrogatesComeBack() {
    fixture().names().create(MYDB);
    ConcernValue next =
        value(2, "{\"state\":\"\ud83d\ude00\",\"\ud83d\ude00\":\"\\ud83d\\ude00\"}");
    fixture().names().push(MYDB, Concern.STATUS, fixture().get(MYDB, Concern.STATUS), next);
    assertThat(fixture().get(MYDB, Concern.STATUS)).contains(next);
  }
}
