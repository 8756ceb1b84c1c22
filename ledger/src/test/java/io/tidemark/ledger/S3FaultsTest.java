// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.servers.RecordedRequest;
import io.tidemark.testkit.servers.S3Bucket;
import io.tidemark.testkit.servers.S3Operation;
import io.tidemark.testkit.servers.S3Server;
import io.tidemark.testkit.servers.ServerExtension;
import io.tidemark.testkit.servers.ServerFault;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults as a real server makes them: connections that break, and errors that it answers. Each
 * request of a warm commit meets each of them in turn, one commit after the other, and each commit
 * succeeds once.
 */
@ExtendWith(ServerExtension.class)
class S3FaultsTest {

  private final S3Bucket bucket;
  private final List<Long> ids = new ArrayList<>();
  private final ObjectStore store;
  private final Ledger ledger;
  private final Session session;

  S3FaultsTest(S3Server server) {
    bucket = server.createBucket();
    store = S3WritersTest.store(bucket);
    new LedgerInitializer(store, "").init();
    ledger = Ledger.open(store, "", WritersContract.patient("writer"));
    session = ledger.session(RecordType.of(Customer.class));
  }

  @BeforeEach
  void warmUp() {
    commit();
    commit();
  }

  @AfterEach
  void close() {
    session.close();
    ledger.close();
    store.close();
  }

  private void commit() {
    ids.add(session.ensure(Customer.of("c1", ids.size())).commit().orElseThrow().id());
    ledger.flush();
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of("the answer is lost", ServerFault.LOSE_RESPONSE),
        Arguments.of("the request is lost", ServerFault.FAIL_BEFORE),
        Arguments.of("409", ServerFault.CONFLICT),
        Arguments.of("429", ServerFault.TOO_MANY_REQUESTS),
        Arguments.of("500", ServerFault.INTERNAL_ERROR),
        Arguments.of("500 after success", ServerFault.INTERNAL_ERROR_AFTER_APPLYING),
        Arguments.of("503", ServerFault.SLOW_DOWN));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void everyRequestOfACommitMeetsTheFaultAndTheCommitSucceedsOnce_F1_F3_G6(
      String what, ServerFault serverFault) {
    for (String path : List.of("/entities/Customer.parquet", "/manifest.json", "head.json")) {
      bucket.faults().next(request -> isWriteOf(request, path), serverFault);
      commit();
      assertThat(bucket.faults().pending()).as(path).isZero();
    }
    bucket
        .faults()
        .next(request -> isWriteOf(request, "indices/entities/Customer.json"), serverFault);
    commit();
    assertThat(bucket.faults().pending()).isZero();
    assertThat(ids).isEqualTo(List.of(1L, 2L, 3L, 4L, 5L, 6L));
    assertThat(LedgerDump.of(store).commits()).hasSize(6);
    assertThat(ledger.lastWarning()).isEmpty();
    assertThat(ledger.indices().verify(IndexMaintenance.Depth.EVERY_COMMIT))
        .matches(IndexMaintenance.Report::ok);
  }

  private static boolean isWriteOf(RecordedRequest request, String path) {
    return request.operation() == S3Operation.PUT_OBJECT && request.key().endsWith(path);
  }

  @Test
  void aCommitSucceedsThoughTheAnswerToTheLocksWriteIsLost_G5_F2() {
    try (ObjectStore other = S3WritersTest.store(bucket)) {
      ledger.close();
      bucket
          .faults()
          .next(request -> isWriteOf(request, LedgerLayout.LOCK), ServerFault.LOSE_RESPONSE);
      try (Ledger next = Ledger.open(other, "", WritersContract.patient("next"))) {
        WriterOperation.writeThree(next, "next", 1);
        assertThat(next.log().head()).contains(3L);
      }
      assertThat(bucket.faults().pending()).isZero();
      assertThat(new String(other.get(LedgerLayout.LOCK).orElseThrow().bytes(), UTF_8))
          .as("the lock is given back")
          .contains("1970-01-01");
    }
  }
}
