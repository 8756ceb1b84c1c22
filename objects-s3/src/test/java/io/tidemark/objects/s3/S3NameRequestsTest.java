// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.ContentionException;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.Race;
import io.tidemark.testkit.servers.BucketFaults;
import io.tidemark.testkit.servers.RecordedRequest;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Operation;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import io.tidemark.testkit.servers.ServerFault;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the nameservice sends to S3, and what it makes of S3's answers. */
@ExtendWith(ServerExtension.class)
class S3NameRequestsTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final String MAIN = "ledgers/ns@v2/mydb/main.json";
  private static final ConcernValue READY = status(1, "ready");

  /** Writes down how long it was waited. */
  private static final class RecordingTime extends FakeTime {
    private final List<Duration> pauses = new ArrayList<>();

    @Override
    public void pause(Duration duration) {
      pauses.add(duration);
      super.pause(duration);
    }
  }

  private final S3Bucket bucket;
  private final Deque<NameService> opened = new ArrayDeque<>();

  S3NameRequestsTest(S3Server server) {
    bucket = server.createBucket();
  }

  private NameService open(Retry retry) {
    S3Settings settings = TestStore.settings(bucket).prefix("ledgers").build();
    ObjectStore store = new ObjectStore(TestStore.open(settings), Retry.standard());
    NameService names =
        new NameService(
            new ObjectNameBackend(store, DocumentLayout.B, retry, Clock.systemUTC()),
            NameOptions.standard().withoutNotifications());
    opened.push(names);
    bucket.requests().clear();
    return names;
  }

  private NameService open() {
    return open(Retry.standard());
  }

  @AfterEach
  void close() {
    bucket.faults().clear();
    opened.forEach(NameService::close);
  }

  private static ConcernValue status(long watermark, String state) {
    return ConcernValue.of(watermark, Payload.build(json -> json.put("state", state)));
  }

  private static PushResult push(NameService names, ConcernValue from, ConcernValue to) {
    return names.push(MYDB, Concern.STATUS, Optional.of(from), to);
  }

  /** What was sent to change something since it was asked last. */
  private List<RecordedRequest> puts() {
    return bucket.requests().all().stream()
        .filter(request -> request.operation() == S3Operation.PUT_OBJECT)
        .toList();
  }

  @Test
  void aRecordIsCreatedByOnePutIfThereIsNone_names62() {
    open().create(MYDB);
    assertThat(puts()).hasSize(1);
    RecordedRequest put = puts().get(0);
    assertThat(put.key()).isEqualTo(MAIN);
    assertThat(put.header("if-none-match")).contains("*");
    assertThat(put.header("if-match")).isEmpty();
  }

  @Test
  void anUpdateIsAGetAndAPutOverTheVersionThatWasRead_names62() {
    open().create(MYDB);
    NameService another = open();
    assertThat(push(another, READY, status(2, "busy")).updated()).isTrue();
    assertThat(bucket.requests().all())
        .extracting(RecordedRequest::operation, RecordedRequest::key)
        .containsExactly(tuple(S3Operation.GET_OBJECT, MAIN), tuple(S3Operation.PUT_OBJECT, MAIN));
    RecordedRequest put = puts().get(0);
    assertThat(put.header("if-match").orElseThrow()).matches("\"[^\"]+\"");
    assertThat(put.header("if-none-match")).isEmpty();
  }

  @Test
  void whatIsRefusedOnceIsTriedAgain_names63() {
    NameService names = open();
    names.create(MYDB);
    bucket.requests().clear();
    bucket.faults().next(S3Operation.PUT_OBJECT, ServerFault.PRECONDITION_FAILED);
    assertThat(push(names, READY, status(2, "busy")).updated()).isTrue();
    assertThat(puts()).hasSize(2);
    assertThat(open().get(MYDB, Concern.STATUS)).contains(status(2, "busy"));
  }

  @Test
  void whatIsAlwaysRefusedEndsAsContentionAfterGrowingPauses_names63() {
    open().create(MYDB);
    RecordingTime time = new RecordingTime();
    NameService names = open(time.retry());
    bucket
        .faults()
        .random(
            request -> request.operation() == S3Operation.PUT_OBJECT,
            new BucketFaults.Chance(0, 1, List.of(ServerFault.PRECONDITION_FAILED)));
    assertThatThrownBy(() -> push(names, READY, status(2, "busy")))
        .isInstanceOf(ContentionException.class)
        .hasMessageContaining("mydb:main")
        .hasMessageContaining("try again later");
    bucket.faults().clear();

    assertThat(puts()).hasSize(1 + time.pauses.size());
    assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(15));
    long whole = 20;
    for (Duration pause : time.pauses.subList(0, time.pauses.size() - 1)) {
      assertThat(pause).isBetween(Duration.ofMillis(whole / 2), Duration.ofMillis(whole));
      whole = Math.min(2 * whole, 2_000);
    }
    assertThat(time.pauses).hasSizeBetween(12, 22);
    assertThat(open().get(MYDB, Concern.STATUS)).contains(READY);
  }

  @Test
  void everyRecordOfMoreThanAPageIsListed_names66() throws Exception {
    NameService names = open();
    int each = 252;
    Race.run(
        4,
        thread -> {
          for (int i = 0; i < each; i++) {
            names.create(Address.parse("db%d-%03d".formatted(thread, i)));
          }
          return thread;
        });
    assertThat(puts())
        .hasSize(4 * each)
        .allSatisfy(put -> assertThat(put.key()).matches("ledgers/ns@v2/db\\d-\\d+/main\\.json"));
    NameService another = open();
    try (Stream<NameRecord> records = another.list(RecordFilter.all())) {
      assertThat(records.map(record -> record.address().name()).distinct()).hasSize(4 * each);
    }
    assertThat(bucket.requests().count(S3Operation.LIST_OBJECTS)).isEqualTo(2);
    assertThat(bucket.requests().count(S3Operation.GET_OBJECT)).isEqualTo(4 * each);
  }

  @Test
  void weakETagsAreTakenForStrongOnes_names67() {
    bucket.weakenETags();
    NameService names = open();
    names.create(MYDB);
    bucket.requests().clear();
    assertThat(push(names, READY, status(2, "busy")).updated()).isTrue();
    assertThat(puts().get(0).header("if-match").orElseThrow()).matches("\"[^\"]+\"");
    NameService another = open();
    assertThat(push(another, status(2, "busy"), status(3, "idle")).updated()).isTrue();
    another.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
    assertThat(push(names, status(2, "busy"), status(3, "late")))
        .isEqualTo(new PushResult.Conflict(Optional.of(status(3, "idle"))));

    // What was read isn't fetched again: neither when it is asked for nor when it is listed.
    NameRecord record = names.find(MYDB).orElseThrow();
    assertThat(record.indexed()).isEqualTo(Ref.of("i1", 1));
    bucket.requests().clear();
    try (Stream<NameRecord> records = names.list(RecordFilter.all())) {
      assertThat(records).containsExactly(record);
    }
    assertThat(bucket.requests().count()).isEqualTo(1);
  }
}
