// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Page;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.FeatureBatch;
import io.tidemark.api.features.FeatureChanges;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureLog;
import io.tidemark.api.features.FeatureMaintenance;
import io.tidemark.api.features.FeatureMaintenanceRequest;
import io.tidemark.api.features.FeatureTail;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.api.features.FeatureWrite;
import io.tidemark.api.features.SequenceResult;
import io.tidemark.api.features.TransactionSignal;
import io.tidemark.api.features.TransactionsRequest;
import io.tidemark.api.features.TransactionsRequest.FromNumber;
import io.tidemark.api.features.TransactionsRequest.FromTxn;
import io.tidemark.api.features.TransactionsRequest.WithMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promises of the transaction log, and of maintenance. */
public abstract class FeatureLogContract extends FeatureServiceContract {

  private static final Duration LONG = Duration.ofMinutes(2);

  private FeatureLog log;

  @BeforeEach
  void openLog() {
    log = features.log();
  }

  /** Writes a feature so many times; returns the transactions. */
  private List<Long> written(int times) {
    List<Long> txns = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      txns.add(write("a").txn().orElseThrow());
    }
    return txns;
  }

  private static List<Long> txns(List<FeatureTransaction> transactions) {
    return transactions.stream().map(FeatureTransaction::txn).toList();
  }

  @Test
  void aTransactionTellsWhatItChangedAndForWhom() {
    String message = "m" + UUID.randomUUID();
    long txn =
        collection
            .write(
                FeatureBatch.of(
                    List.of(FeatureWrite.create(point("a", "x"))), Map.of(message, "text")))
            .txn()
            .orElseThrow();

    FeatureTransaction transaction = log.get(txn);

    assertThat(transaction.txn()).isEqualTo(txn).isGreaterThan(1L << 53);
    assertThat(transaction.appId()).isEqualTo("test");
    assertThat(transaction.author()).contains("ann");
    assertThat(transaction.signals()).contains(new TransactionSignal.FeaturesChanged(id));
    assertThat(transaction.signals())
        .filteredOn(signal -> signal.id().equals(message))
        .singleElement()
        .isInstanceOfSatisfying(
            TransactionSignal.Message.class, told -> assertThat(told.msgText()).contains("text"));
    assertThat(log.list(TransactionsRequest.from(new WithMessage(message), 10)).items())
        .containsExactly(transaction);
    assertFails("not-found", () -> log.get(txn + 1_000_000));
    assertFails("invalid-request", () -> log.get(7));
  }

  @Test
  void namesOfAppsAndPersonsMayHaveAnyCharacters() {
    FeatureContext context = FeatureContext.app("äpp + %20").by("Zoë / \"x\"");
    long txn =
        features
            .with(context)
            .collection(id)
            .write(FeatureBatch.of(List.of(FeatureWrite.create(point("a", "x")))))
            .txn()
            .orElseThrow();

    assertThat(log.get(txn).appId()).isEqualTo("äpp + %20");
    assertThat(log.get(txn).author()).contains("Zoë / \"x\"");
  }

  @Test
  void theLogIsListedInPages() {
    List<Long> written = written(5);
    FromTxn start = new FromTxn(written.get(0));

    Page<FeatureTransaction> first = log.list(TransactionsRequest.from(start, 3));
    Page<FeatureTransaction> second =
        log.list(TransactionsRequest.from(start, 3).withCursor(first.next()));

    assertThat(txns(first.items())).isEqualTo(written.subList(0, 3));
    assertThat(txns(second.items())).isEqualTo(written.subList(3, 5));
    Page<FeatureTransaction> newest = log.list(TransactionsRequest.newest(2));
    assertThat(txns(newest.items())).containsExactly(written.get(4), written.get(3));
    assertThat(txns(log.list(TransactionsRequest.newest(2).withCursor(newest.next())).items()))
        .containsExactly(written.get(2), written.get(1));
    assertFails(
        "invalid-request",
        () -> log.list(TransactionsRequest.newest(2).withCursor(Optional.of("nonsense"))));
  }

  @Test
  void transactionsGetNumbersInTheirOrder() {
    long before = log.sequence().last();
    List<Long> written = written(3);
    assertThat(log.get(written.get(0)).seqNumber()).isEmpty();

    SequenceResult sequenced = log.sequence();

    assertThat(sequenced).isEqualTo(new SequenceResult(3, before + 3));
    assertThat(log.get(written.get(0)).seqNumber()).contains(before + 1);
    assertThat(log.get(written.get(0)).seqTs()).isPresent();
    FeatureChanges changes = log.changes(OptionalLong.of(before), 2);
    assertThat(txns(changes.items())).isEqualTo(written.subList(0, 2));
    assertThat(changes.after()).isEqualTo(before + 2);
    assertThat(log.changes(OptionalLong.of(before + 3), 10))
        .isEqualTo(new FeatureChanges(List.of(), before + 3));
    assertThat(log.changes(OptionalLong.empty(), 10))
        .isEqualTo(new FeatureChanges(List.of(), before + 3));
    assertThat(txns(log.list(TransactionsRequest.from(new FromNumber(before + 1), 10)).items()))
        .isEqualTo(written);
    assertFails("log-gone", () -> log.changes(OptionalLong.of(before + 1_000), 10));
  }

  @Test
  void aTailGoesOnOverTheEndOfAPage() {
    long before = log.sequence().last();
    List<Long> written = written(130);
    long unused = log.sequence().last();
    List<Long> followed = new ArrayList<>();
    try (FeatureTail tail = log.follow(OptionalLong.of(before))) {
      for (int i = 0; i < written.size(); i++) {
        followed.add(tail.next(LONG).orElseThrow().txn());
      }
      assertThat(tail.next(Duration.ZERO)).isEmpty();
    }
    assertThat(followed).isEqualTo(written);
  }

  @Test
  void aTailIsToldOfTransactionsThatComeLater() throws Exception {
    long end = log.sequence().last();
    try (FeatureTail tail = log.follow(OptionalLong.empty())) {
      assertThat(tail.next(Duration.ZERO)).isEmpty();
      CompletableFuture<Optional<FeatureTransaction>> next =
          CompletableFuture.supplyAsync(() -> tail.next(LONG));
      List<Long> written = written(1);
      assertThat(log.sequence().last()).isEqualTo(end + 1);
      assertThat(txns(List.of(next.get(2, TimeUnit.MINUTES).orElseThrow()))).isEqualTo(written);
    }
  }

  @Test
  void closingATailEndsACallThatWaits() throws Exception {
    FeatureTail tail = log.follow(OptionalLong.empty());
    CompletableFuture<Optional<FeatureTransaction>> waiting =
        CompletableFuture.supplyAsync(() -> tail.next(Duration.ofDays(1)));

    tail.close();

    assertThat(waiting.get(2, TimeUnit.MINUTES)).isEmpty();
    assertThat(tail.next(Duration.ofDays(1))).isEmpty();
  }

  @Test
  void aTailThatIsAheadOfTheLogFails() {
    long ahead = log.sequence().last() + 1_000;
    try (FeatureTail tail = log.follow(OptionalLong.of(ahead))) {
      assertFails("log-gone", () -> tail.next(Duration.ZERO));
    }
  }

  @Test
  void theOutcomeOfACommitIsTold() {
    FeatureTransaction transaction = log.get(written(1).get(0));

    assertThat(
            log.outcome(Long.toString(transaction.psqlId()), transaction.ts().toString())
                .tookPlace())
        .isTrue();
    assertFails("invalid-request", () -> log.outcome("x", transaction.ts().toString()));
    assertFails("invalid-request", () -> log.outcome("1", "yesterday"));
  }

  @Test
  void maintenanceTellsWhatItDid() {
    assertThat(write("a").committed()).isTrue();
    Object unused =
        collection
            .administration()
            .update(CollectionSettings.none().withOptimalPartitioning(Optional.of(true)));

    FeatureMaintenance done =
        features.maintain(
            FeatureMaintenanceRequest.standard().withKeepLog(OptionalLong.of(1_000)),
            progress -> {});

    assertThat(done).isInstanceOf(FeatureMaintenance.Done.class);
    assertThat(((FeatureMaintenance.Done) done).upkeep())
        .extracting(FeatureMaintenance.Upkeep::name)
        .contains("naksha_tx", id);
    assertThat(((FeatureMaintenance.Done) done).upkeep())
        .allSatisfy(each -> assertThat(each.failure()).isEmpty());
    assertFails(
        "invalid-request",
        () ->
            features.maintain(
                FeatureMaintenanceRequest.standard().withKeepLog(OptionalLong.of(-1)),
                progress -> {}));
  }
}
