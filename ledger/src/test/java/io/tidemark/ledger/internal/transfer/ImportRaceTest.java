// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.Mode;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.OnConflict;
import io.tidemark.ledger.internal.transfer.LedgerImportReport.Status;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another writer commits after the rows have been compared and before the head is replaced. */
class ImportRaceTest {

  private static final List<TypeSchema> TYPES =
      DeclaredSchema.parse(
          "{\"entity\":\"Note\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"n\":\"long\"}}");

  private final MemoryBackend memory = new MemoryBackend();
  private final ObjectStore ours = new ObjectStore(new Interrupted(), Retry.standard());
  private final ObjectStore theirs = new ObjectStore(memory, Retry.standard());
  private Optional<Runnable> beforeTheLock = Optional.empty();

  /** Lets somebody else act right before the lock is taken for the first time. */
  private final class Interrupted extends ForwardingBackend {
    Interrupted() {
      super(memory);
    }

    @Override
    public WriteResult put(String key, Body body, Condition condition, String attempt) {
      if (key.equals(LedgerLayout.LOCK)) {
        Optional<Runnable> act = beforeTheLock;
        beforeTheLock = Optional.empty();
        act.ifPresent(Runnable::run);
      }
      return super.put(key, body, condition, attempt);
    }
  }

  @BeforeEach
  void aLedgerWithARow() {
    new LedgerInitializer(theirs, "").init();
    assertThat(load(theirs, LedgerImportOptions.standard(), "{\"id\":\"a\",\"n\":1}").commits())
        .containsExactly(1L);
  }

  private static LedgerImportReport load(
      ObjectStore store, LedgerImportOptions options, String fields) {
    String line = "{\"type_kind\":\"entity\",\"type_name\":\"Note\",\"fields\":" + fields + "}";
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    try (Ledger ledger = Ledger.open(store, "", LedgerOptions.standard())) {
      return new LedgerImport(ledger, options.withMode(Mode.APPLY).withDeclared(TYPES))
          .from(Inputs.of(new ByteArrayInputStream(bytes), "line"), n -> {});
    }
  }

  private void theyInsert(String id) {
    beforeTheLock =
        Optional.of(
            () -> load(theirs, LedgerImportOptions.standard(), "{\"id\":\"" + id + "\",\"n\":7}"));
  }

  @Test
  void aRowThatCameMeanwhileIsAConflict() {
    theyInsert("b");
    LedgerImportReport report =
        load(ours, LedgerImportOptions.standard(), "{\"id\":\"b\",\"n\":2}");

    assertThat(report.status()).isEqualTo(Status.CONFLICT);
    assertThat(report.reasons()).containsExactly("entity:Note b is there already");
    assertThat(report.commits()).isEmpty();
  }

  @Test
  void aRowThatCameMeanwhileIsSkippedOrUpdated() {
    theyInsert("b");
    LedgerImportReport skip =
        load(
            ours,
            LedgerImportOptions.standard().withOnConflict(OnConflict.SKIP),
            "{\"id\":\"b\",\"n\":2}");
    assertThat(skip.skipped()).isEqualTo(1);
    assertThat(skip.inserts()).isZero();

    theyInsert("c");
    LedgerImportReport upsert =
        load(
            ours,
            LedgerImportOptions.standard().withOnConflict(OnConflict.UPSERT),
            "{\"id\":\"c\",\"n\":2}");
    assertThat(upsert.updates()).isEqualTo(1);
    assertThat(upsert.inserts()).isZero();
    assertThat(upsert.commits()).containsExactly(4L);
  }

  @Test
  void caseKFiveTheHeadThatIsAskedForIsTheOneThatIsReplaced() {
    theyInsert("b");
    LedgerImportReport report =
        load(
            ours,
            LedgerImportOptions.standard()
                .withOnConflict(OnConflict.UPSERT)
                .withPrecondition(new Precondition.IfCommitId(1)),
            "{\"id\":\"a\",\"n\":2}");

    assertThat(report.status()).isEqualTo(Status.CONFLICT);
    assertThat(report.reasons()).containsExactly("the newest commit is 2, not 1");
    assertThat(report.updates()).isZero();
  }

  @Test
  void anotherCommitThatIsInNobodysWayIsNone() {
    theyInsert("b");
    LedgerImportReport report =
        load(ours, LedgerImportOptions.standard(), "{\"id\":\"c\",\"n\":2}");

    assertThat(report.commits()).containsExactly(3L);
  }
}
