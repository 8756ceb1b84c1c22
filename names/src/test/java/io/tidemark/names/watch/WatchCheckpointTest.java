// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where a client stands, as text. */
class WatchCheckpointTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);

  private final NameService names =
      new NameService(
          new MemoryNameBackend(CLOCK),
          NameOptions.standard().withoutNotifications().withClock(CLOCK));

  @Test
  void theyAreWrittenAsTheSeedsHaveThemAndReadBack() {
    Address mydb = Address.parse("mydb");
    Address search = Address.parse("search");
    names.create(mydb);
    names.ledgers().publishCommit(mydb, Ref.of("c", 42));
    names
        .graphSources()
        .publish(search, SourceType.BM25, Payload.parse("{}"), List.of("mydb:main"));
    try (NameFeed feed = new NameFeed(names)) {
      WatchCheckpoint stand = feed.watchFromNow(WatchFilter.all()).cursor();
      assertThat(stand.toJson().replaceAll("-?\\d+(?=,?\\n +(\"(index|status|config)\"|}))", "D"))
          .contains("\"mydb:main\" : {\n      \"kind\" : \"ledger\",\n      \"commit_t\" : 42,")
          .contains("\"index_t\" : 0,\n      \"status_v\" : 1,\n      \"config_v\" : 0,")
          .contains("\"search:main\" : {\n      \"kind\" : \"graph_source\",")
          .contains("\"source_type\" : \"f:Bm25Index\",")
          .contains("\"created_at\" : 1700000000");
      assertThat(WatchCheckpoint.parse(stand.toJson())).isEqualTo(stand);
    }
  }

  @Test
  void whatAnotherProgramKeptIsReadAndDiffers() {
    WatchCheckpoint theirs =
        WatchCheckpoint.parse(
            "{\"subscriptions\":{\"mydb:main\":{\"kind\":\"ledger\",\"commit_t\":42,"
                + "\"index_t\":40,\"status_v\":89,\"config_v\":2}}}");
    Watermarks watermarks = theirs.marks().get(Address.parse("mydb"));
    assertThat(watermarks).isNotNull();
    assertThat(watermarks.head().watermark()).isEqualTo(42);
    assertThat(watermarks.status().watermark()).isEqualTo(89);
  }

  /** Digests had 32 bits and were numbers, and there were neither ids nor ids of records. */
  @Test
  void whatAnEarlierVersionKeptTellsOnlyWhatHasMovedSince() throws InterruptedException {
    Address mydb = Address.parse("mydb");
    Address other = Address.parse("other");
    for (Address address : List.of(mydb, other)) {
      names.create(address);
      names.ledgers().publishCommit(address, Ref.of("c", 42));
    }
    String earlier =
        "{\"kind\":\"ledger\",\"commit_t\":%d,\"index_t\":0,\"status_v\":1,\"config_v\":0,"
            + "\"index_rev\":0,\"created_at\":1700000000,\"digests\":{\"head\":-712345678,"
            + "\"index\":0,\"status\":1298765432,\"config\":0}}";
    WatchCheckpoint kept =
        WatchCheckpoint.parse(
            "{\"subscriptions\":{\"mydb:main\":"
                + earlier.formatted(42)
                + ",\"other:main\":"
                + earlier.formatted(41)
                + "}}");
    assertThat(WatchCheckpoint.parse(kept.toJson())).isEqualTo(kept);
    try (NameFeed feed = new NameFeed(names);
        Watch watch = feed.watch(WatchFilter.all(), kept)) {
      NameEvent event = watch.next(Duration.ZERO).orElseThrow();
      assertThat(event.address()).isEqualTo(other);
      assertThat(event.moved()).containsExactly(Concern.HEAD);
      assertThat(watch.next(Duration.ZERO)).isEmpty();
      assertThat(watch.cursor().marks().get(mydb))
          .isEqualTo(Watermarks.of(names.find(mydb).orElseThrow()));
    }
  }

  @Test
  void whatCouldNotBeReadIsKeptWithTheReason() {
    WatchCheckpoint stand =
        new WatchCheckpoint(Map.of(), Map.of(Address.parse("mydb"), "main.json is no JSON"));
    assertThat(stand.toJson()).contains("\"unreadable\" : \"main.json is no JSON\"");
    assertThat(WatchCheckpoint.parse(stand.toJson())).isEqualTo(stand);
  }

  @Test
  void otherTextIsRefused() {
    assertThatThrownBy(() -> WatchCheckpoint.parse("[]"))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessage(
            "these are no subscriptions: there is no object \"subscriptions\"; begin a new watch,"
                + " which tells everything anew");
    assertThatThrownBy(() -> WatchCheckpoint.parse("{"))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageStartingWith("these are no subscriptions: ");
  }
}
