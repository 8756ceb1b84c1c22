// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.Tidemark;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.AdoptResult;
import io.tidemark.api.ledger.BranchDropResult;
import io.tidemark.api.ledger.BranchEntry;
import io.tidemark.api.ledger.BranchRequest;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CompactionRequest;
import io.tidemark.api.ledger.CompactionResult;
import io.tidemark.api.ledger.FinishDropsResult;
import io.tidemark.api.ledger.GarbageReport;
import io.tidemark.api.ledger.GarbageRequest;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.IndexRepairRequest;
import io.tidemark.api.ledger.IndexRepairResult;
import io.tidemark.api.ledger.IndexReport;
import io.tidemark.api.ledger.IndexVerifyRequest;
import io.tidemark.api.ledger.InfoRequest;
import io.tidemark.api.ledger.InitPlan;
import io.tidemark.api.ledger.InitRequest;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.MergeRequest;
import io.tidemark.api.ledger.MergeResult;
import io.tidemark.api.ledger.MigrationRequest;
import io.tidemark.api.ledger.MigrationResult;
import io.tidemark.api.ledger.RowInput;
import io.tidemark.api.ledger.SchemaComparison;
import io.tidemark.api.ledger.TypeDropRequest;
import io.tidemark.api.ledger.TypeDropResult;
import io.tidemark.api.ledger.UnexpectedHeadException;
import io.tidemark.api.ledger.VerifyListener;
import io.tidemark.api.ledger.VerifyReport;
import io.tidemark.api.ledger.VerifyRequest;
import io.tidemark.objects.TidemarkException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract of the operations that change a ledger, for every implementation of {@link
 * LedgerService}. A failure has the same code in process and over HTTP.
 */
public abstract class LedgerWritingContract {

  private static final JsonMapper JSON = new JsonMapper();

  private static final String TYPES =
      """
      [{"entity": "Customer", "key": "id", "fields": {"id": "string", "age": "long"}},
       {"entity": "Product", "key": "sku", "fields": {"sku": "string"}},
       {"relation": "Sub", "left": "Customer", "right": "Product", "fields": {"seats": "long"}}]
      """;

  private static final String ROWS =
      """
      {"type_kind":"entity","type_name":"Customer","fields":{"id":"c1","age":30}}
      {"type_kind":"entity","type_name":"Customer","fields":{"id":"c2","age":9}}
      {"type_kind":"entity","type_name":"Product","fields":{"sku":"p1"}}
      {"type_kind":"relation","type_name":"Sub","left_key":"c1","right_key":"p1","fields":{"seats":5}}
      """;

  @TempDir private Path directory;

  private final String name = "l" + UUID.randomUUID().toString().substring(0, 8);
  private LedgerService crm;

  /** Returns the implementation, which is closed by the subclass. */
  protected abstract Tidemark tidemark();

  @BeforeEach
  final void makeLedger() {
    tidemark().ledgers().init(InitRequest.of(name));
    crm = tidemark().ledger(name);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static void fails(String code, ThrowingCallable operation) {
    assertThatExceptionOfType(TidemarkException.class)
        .isThrownBy(operation)
        .extracting(TidemarkException::code)
        .isEqualTo(code);
  }

  private static CommitResult commit(LedgerService ledger, CommitRequest request) {
    return ledger.commit(request, read -> {});
  }

  private CommitResult commitRows() {
    return commit(crm, CommitRequest.of(RowInput.of(ROWS)).withSchema(Optional.of(json(TYPES))));
  }

  private static CommitResult age(LedgerService ledger, String id, long age) {
    String row = "{\"id\":\"%s\",\"age\":%d}".formatted(id, age);
    return commit(ledger, CommitRequest.of("Customer", RowInput.of(row)));
  }

  private static long rows(LedgerService ledger, String type) {
    return ledger
        .info(new InfoRequest(true, false))
        .entityCounts()
        .orElseThrow()
        .getOrDefault(type, 0L);
  }

  private long head() {
    return crm.info(InfoRequest.brief()).headCommitId().orElse(0L);
  }

  // --- commits

  @Test
  void rowsBecomeOneCommitAndEqualRowsNone() {
    CommitResult first = commitRows();
    assertThat(first.head()).isEqualTo(1);
    assertThat(first.commit().map(CommitSummary::commitId)).contains(1L);
    assertThat(first.commit().map(CommitSummary::operations)).contains(4L);

    CommitResult again = commitRows();
    assertThat(again.commit()).isEmpty();
    assertThat(again.head()).isEqualTo(1);
    assertThat(WireJson.tree(again)).hasToString("{\"commit_id\":null}");

    CommitSummary changed = age(crm, "c1", 31).commit().orElseThrow();
    assertThat(changed.commitId()).isEqualTo(2);
    assertThat(changed.operations()).isEqualTo(1);
    assertThat(crm.commits().get(2)).isEqualTo(changed);
  }

  @Test
  void aCommitKeepsItsMessageAndMetadata() {
    commitRows();
    CommitRequest request =
        CommitRequest.of("Product", RowInput.of("{\"sku\":\"p2\"}"))
            .withMessage(Optional.of("more, and \"quoted\""))
            .withMetadata(Map.of("ticket", "42=x", "ä", "ö"));
    JsonNode meta = commit(crm, request).commit().orElseThrow().meta();
    assertThat(meta.path("message").asText()).isEqualTo("more, and \"quoted\"");
    assertThat(meta.path("ticket").asText()).isEqualTo("42=x");
    assertThat(meta.path("ä").asText()).isEqualTo("ö");
  }

  @Test
  void rowsMayBeAnArrayFilesOrAStreamThatIsReadOnce() throws IOException {
    commitRows();
    Path array =
        Files.writeString(directory.resolve("a.json"), "[{\"sku\":\"a1\"},\n {\"sku\":\"a2\"}]");
    assertThat(commit(crm, CommitRequest.of("Product", RowInput.of(array))).head()).isEqualTo(2);
    Path one = Files.writeString(directory.resolve("1.jsonl"), "{\"sku\":\"f1\"}");
    Path two = Files.writeString(directory.resolve("2.jsonl"), "{\"sku\":\"f2\"}\n");
    CommitResult files = commit(crm, CommitRequest.of("Product", RowInput.of(List.of(one, two))));
    assertThat(files.commit().map(CommitSummary::operations)).contains(2L);
    InputStream stream =
        new ByteArrayInputStream("{\"sku\":\"s1\"}".getBytes(StandardCharsets.UTF_8));
    CommitResult streamed =
        commit(crm, CommitRequest.of("Product", RowInput.of(stream, "standard input")));
    assertThat(streamed.head()).isEqualTo(4);
    assertThat(rows(crm, "Product")).isEqualTo(6);
  }

  @Test
  void aCommitOfAnyLengthIsOneCommit() {
    commitRows();
    int count = 40_000;
    String text = "x".repeat(450); // 19 MB, which is more than a document may have
    String lines =
        IntStream.range(0, count)
            .mapToObj(i -> "{\"sku\":\"p%05d-%s\"}".formatted(i, text))
            .collect(Collectors.joining("\n"));
    CommitResult result = commit(crm, CommitRequest.of("Product", RowInput.of(lines)));
    assertThat(result.commit().map(CommitSummary::operations)).contains((long) count);
    assertThat(result.head()).isEqualTo(2);
  }

  @Test
  void aCommitOnAnotherHeadThanExpectedIsNotMade() {
    CommitRequest rows = CommitRequest.of(RowInput.of(ROWS)).withSchema(Optional.of(json(TYPES)));
    assertThat(commit(crm, rows.withExpected(OptionalLong.of(0))).head()).isEqualTo(1);
    assertThatExceptionOfType(UnexpectedHeadException.class)
        .isThrownBy(
            () ->
                commit(
                    crm,
                    CommitRequest.of("Product", RowInput.of("{\"sku\":\"p9\"}"))
                        .withExpected(OptionalLong.of(7))))
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo("head-mismatch");
              assertThat(e.expected()).isEqualTo(7);
              assertThat(e.actual()).isEqualTo(1);
            });
    assertThatExceptionOfType(UnexpectedHeadException.class)
        .as("also of no rows")
        .isThrownBy(
            () -> commit(crm, CommitRequest.of(RowInput.of("")).withExpected(OptionalLong.of(7))));
    assertThat(head()).isEqualTo(1);
  }

  @Test
  void whatCannotBeCommittedFailsByItsCodeAndWritesNothing() {
    commitRows();
    fails("invalid-value", () -> commit(crm, CommitRequest.of("Product", RowInput.of("{\"sku\""))));
    assertThatExceptionOfType(TidemarkException.class)
        .isThrownBy(
            () ->
                commit(
                    crm,
                    CommitRequest.of(
                        "Customer", RowInput.of("{\"id\":\"c1\",\"age\":1}\n{\"id\":7}"))))
        .withMessageContaining("line 2: ");
    fails("invalid-schema", () -> commit(crm, CommitRequest.of("No", RowInput.of("{\"a\":1}"))));
    fails(
        "schema-outdated",
        () ->
            commit(
                crm,
                CommitRequest.of(RowInput.of(ROWS.replace("c1", "n1")))
                    .withSchema(
                        Optional.of(
                            json(TYPES.replace("\"age\": \"long\"", "\"age\": \"long?\""))))));
    fails(
        "batch-size-exceeded",
        () ->
            commit(
                crm,
                CommitRequest.of("Product", RowInput.of("{\"sku\":\"1\"}\n{\"sku\":\"2\"}"))
                    .withMaxRows(OptionalLong.of(1))));
    fails(
        "transfer",
        () ->
            commit(crm, CommitRequest.of("Product", RowInput.of(directory.resolve("none.jsonl")))));
    fails("not-found", () -> age(tidemark().ledger(name + "x"), "c1", 1));
    assertThat(head()).isEqualTo(1);
  }

  // --- types

  @Test
  void typesAreDeclaredAndCompared() {
    assertThat(crm.types().declare(json(TYPES))).hasSize(3);
    assertThat(crm.types().declare(json(TYPES)))
        .as("declared again")
        .allMatch(version -> version.schemaVersionId() == 1);
    JsonNode other =
        json(
            "{\"entity\":\"Customer\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"mail\":\"string\"}}");
    fails("schema-outdated", () -> crm.types().declare(other));
    fails("invalid-schema", () -> crm.types().declare(json("{\"entity\":5}")));

    SchemaComparison comparison = crm.types().compare(other);
    assertThat(comparison.matches()).isFalse();
    assertThat(comparison.status()).isEqualTo("mismatch");
    assertThat(comparison.diffs())
        .singleElement()
        .satisfies(
            diff ->
                assertThat(diff.text()).isEqualTo("entity:Customer v1: added mail; removed age"));
    SchemaComparison added =
        crm.types()
            .compare(json("{\"entity\":\"New\",\"key\":\"id\",\"fields\":{\"id\":\"long\"}}"));
    assertThat(added.matches()).isTrue();
    assertThat(added.newTypes()).containsExactly("entity:New");
  }

  @Test
  void aMigrationIsPlannedAndThenDoneByItsToken() {
    commitRows();
    MigrationRequest bare =
        MigrationRequest.of(
            json(TYPES.replace("\"age\": \"long\"", "\"years\": \"long\", \"tier\": \"string\"")));
    MigrationResult lacking = crm.types().migrate(bare);
    assertThat(lacking.applied()).isFalse();
    assertThat(lacking.missingUpgraders()).containsExactly("entity:Customer");
    assertThat(lacking.estimatedRows()).isEqualTo(2);
    assertThat(lacking.rows()).isEqualTo(Map.of("entity:Customer", 2L));
    fails("migration", () -> crm.types().migrate(bare.withApply(true).withForce(true)));

    MigrationRequest rules =
        bare.withRename(Map.of("Customer.age", "years"))
            .withSet(Map.of("Customer.tier", json("\"Gold\"")));
    MigrationResult plan = crm.types().migrate(rules);
    assertThat(plan.missingUpgraders()).isEmpty();
    assertThat(plan.rowsMigrated()).isEmpty();
    fails("invalid-request", () -> crm.types().migrate(rules.withForce(true)));
    fails("invalid-request", () -> crm.types().migrate(rules.withApply(true)));
    fails(
        "invalid-token",
        () -> crm.types().migrate(rules.withApply(true).withToken(Optional.of("x"))));
    fails("invalid-request", () -> crm.types().migrate(bare.withRemove(List.of("age"))));
    MigrationResult done =
        crm.types()
            .migrate(
                rules
                    .withApply(true)
                    .withToken(Optional.of(plan.token()))
                    .withMetadata(Map.of("why", "tiers")));
    assertThat(done.applied()).isTrue();
    assertThat(done.rowsMigrated()).contains(2L);
    assertThat(done.commitId()).contains(2L);
    assertThat(crm.commits().get(2).meta().path("why").asText()).isEqualTo("tiers");
    assertThat(crm.types().migrate(rules).diffs()).isEmpty();
  }

  @Test
  void aTypeIsDroppedByItsToken() {
    commitRows();
    fails("refused-drop", () -> crm.types().drop("Customer", TypeDropRequest.plan()));
    fails("not-found", () -> crm.types().drop("Nobody", TypeDropRequest.plan()));
    TypeDropRequest request =
        TypeDropRequest.plan().withRelations(List.of("Sub")).withPurgeHistory(true);
    TypeDropResult plan = crm.types().drop("Customer", request);
    assertThat(plan.affectedTypes()).containsExactly("entity:Customer", "relation:Sub");
    assertThat(plan.rows()).isEqualTo(Map.of("entity:Customer", 2L, "relation:Sub", 1L));
    assertThat(plan.commitId()).isEmpty();
    TypeDropResult done =
        crm.types().drop("Customer", request.withApply(true).withToken(plan.token()));
    assertThat(done.applied()).isTrue();
    assertThat(done.token()).isEmpty();
    assertThat(done.commitId()).contains(2L);
    assertThat(crm.types().list()).singleElement().matches(v -> v.typeName().equals("Product"));
  }

  // --- branches

  @Test
  void branchesAreMadeListedAndDropped() {
    commitRows();
    age(crm, "c1", 31);
    BranchEntry dev = crm.branches().create(BranchRequest.of("dev"));
    assertThat(dev)
        .isEqualTo(new BranchEntry(name + ":dev", Optional.of(2L), "dev", Optional.of("main")));
    assertThat(crm.branches().create(BranchRequest.of("dev"))).as("again").isEqualTo(dev);
    assertThat(crm.branches().create(new BranchRequest("old", OptionalLong.of(1))).headCommitId())
        .contains(1L);
    fails("not-found", () -> crm.branches().create(new BranchRequest("x", OptionalLong.of(99))));
    assertThat(crm.branches().list())
        .extracting(BranchEntry::branch)
        .containsExactly("dev", "main", "old");

    assertThat(crm.branches().drop("old"))
        .isEqualTo(new BranchDropResult(name + ":old", "gone", List.of(), List.of()));
    fails("refused", () -> crm.branches().drop("main"));
    fails("not-found", () -> crm.branches().drop("nobody"));
    assertThat(crm.branches().finishDrops())
        .isEqualTo(new FinishDropsResult(name, List.of(), List.of()));
    fails("not-found", () -> age(tidemark().ledger(name + ":old"), "c1", 1));
  }

  @Test
  void aBranchIsMergedFieldByField() {
    commitRows();
    crm.branches().create(BranchRequest.of("dev"));
    LedgerService dev = tidemark().ledger(name + ":dev");
    MergeRequest merge = MergeRequest.of("dev");
    assertThat(crm.branches().merge(merge, rows -> {}))
        .isEqualTo(new MergeResult.UpToDate(1, 1, "dev", "main", false));

    age(dev, "c1", 50);
    assertThat(crm.branches().merge(merge, rows -> {}))
        .isEqualTo(new MergeResult.FastForward(1, 2, "dev", "main", false));
    assertThat(crm.branches().merge(merge.withApply(true), rows -> {}))
        .isEqualTo(new MergeResult.FastForward(1, 2, "dev", "main", true));

    age(dev, "c2", 10);
    age(crm, "c1", 51);
    MergeResult.Merged planned = (MergeResult.Merged) crm.branches().merge(merge, rows -> {});
    assertThat(planned.commitId()).isEmpty();
    assertThat(planned.counts())
        .containsExactly(new MergeResult.Counts("entity", "Customer", 1, 0, 0));
    MergeResult.Merged merged =
        (MergeResult.Merged)
            crm.branches().merge(merge.withApply(true).withMetadata(Map.of("k", "v")), rows -> {});
    assertThat(merged.commitId()).contains(4L);
    assertThat(crm.commits().get(4).meta().path("k").asText()).isEqualTo("v");
  }

  @Test
  void aConflictOfBranchesIsAResult() {
    commitRows();
    crm.branches().create(BranchRequest.of("dev"));
    LedgerService dev = tidemark().ledger(name + ":dev");
    age(dev, "c1", 50);
    age(crm, "c1", 51);
    String relation = "{\"left_key\":\"c1\",\"right_key\":\"p1\",\"seats\":%d}";
    commit(dev, CommitRequest.of("Sub", RowInput.of(relation.formatted(6))));
    commit(crm, CommitRequest.of("Sub", RowInput.of(relation.formatted(7))));
    for (boolean apply : new boolean[] {false, true}) {
      MergeResult.Conflicted conflict =
          (MergeResult.Conflicted)
              crm.branches().merge(MergeRequest.of("dev").withApply(apply), rows -> {});
      assertThat(conflict.applied()).isFalse();
      assertThat(conflict.conflicts()).isEqualTo(2);
      assertThat(conflict.first()).hasSize(2);
      MergeResult.Conflict customer = conflict.first().get(0);
      assertThat(customer.key()).contains("c1");
      assertThat(customer.fields())
          .containsExactly(
              new MergeResult.FieldConflict(
                  "age",
                  Optional.of(json("30")),
                  Optional.of(json("51")),
                  Optional.of(json("50"))));
      assertThat(conflict.first().get(1).leftKey()).contains("c1");
      assertThat(conflict.first().get(1).instanceKey()).isEmpty();
    }
    assertThat(head()).isEqualTo(3);
    MergeRequest theirs =
        MergeRequest.of("dev").withApply(true).withResolution(Optional.of("theirs"));
    MergeResult.Merged merged = (MergeResult.Merged) crm.branches().merge(theirs, rows -> {});
    assertThat(merged.counts())
        .containsExactly(
            new MergeResult.Counts("entity", "Customer", 0, 0, 1),
            new MergeResult.Counts("relation", "Sub", 0, 0, 1));
    fails(
        "invalid-request",
        () ->
            crm.branches()
                .merge(MergeRequest.of("dev").withResolution(Optional.of("mine")), rows -> {}));
    fails("not-found", () -> crm.branches().merge(MergeRequest.of("nobody"), rows -> {}));
  }

  // --- imports

  private static ImportReport load(LedgerService ledger, ImportRequest request) {
    return ledger.transfer().importRows(request, read -> {});
  }

  @Test
  void anImportIsPlannedAndThenDone() {
    ImportRequest request =
        ImportRequest.of(RowInput.of(ROWS)).withSchema(Optional.of(json(TYPES)));
    assertThat(load(crm, request))
        .isEqualTo(
            new ImportReport("dry_run", Optional.empty(), 4, 4, 0, 0, 0, 0, List.of(), List.of()));
    ImportRequest applied =
        request.withApply(true).withMessage(Optional.of("loaded")).withMetadata(Map.of("k", "v"));
    assertThat(load(crm, applied))
        .isEqualTo(
            new ImportReport("applied", Optional.of(1L), 4, 4, 0, 0, 0, 0, List.of(1L), List.of()));
    assertThat(crm.commits().get(1).meta().path("message").asText()).isEqualTo("loaded");
    assertThat(crm.commits().get(1).meta().path("k").asText()).isEqualTo("v");

    ImportReport conflict = load(crm, applied);
    assertThat(conflict.status()).isEqualTo(ImportReport.CONFLICT);
    assertThat(conflict.conflicts()).isEqualTo(4);
    assertThat(conflict.reasons()).isNotEmpty();
    assertThat(load(crm, applied.withOnConflict(Optional.of("skip"))).skipped()).isEqualTo(4);
    assertThat(load(crm, applied.withOnConflict(Optional.of("upsert"))).unchanged()).isEqualTo(4);
    assertThat(load(crm, applied.withPrecondition(Optional.of("must_exist"))).unchanged())
        .isEqualTo(4);
    assertThat(
            load(
                    crm,
                    applied
                        .withOnConflict(Optional.of("upsert"))
                        .withPrecondition(Optional.of("if_commit_id:7")))
                .status())
        .isEqualTo(ImportReport.CONFLICT);
    assertThat(head()).isEqualTo(1);
  }

  @Test
  void anImportMayBeSeveralCommits() {
    ImportReport report =
        load(
            crm,
            ImportRequest.of(RowInput.of(ROWS))
                .withSchema(Optional.of(json(TYPES)))
                .withApply(true)
                .withBatch(OptionalLong.of(3)));
    assertThat(report.commits()).containsExactly(1L, 2L);
    assertThat(report.commitId()).contains(2L);
  }

  @Test
  void theDirectoryOfAnExportIsImportedWithItsSchemas() throws IOException {
    Files.writeString(directory.resolve("schema.json"), TYPES);
    Files.writeString(directory.resolve("1.jsonl"), ROWS);
    Files.writeString(
        directory.resolve("2.jsonl"),
        "{\"type_kind\":\"entity\",\"type_name\":\"Product\",\"fields\":{\"sku\":\"p2\"}}");
    assertThat(load(crm, ImportRequest.of(directory).withApply(true)).inserts()).isEqualTo(5);
    Path none = Files.createDirectory(directory.resolve("none"));
    fails("transfer", () -> ImportRequest.of(none));
  }

  @Test
  void whatCannotBeImportedFailsByItsCodeAndWritesNothing() {
    commitRows();
    ImportRequest rows = ImportRequest.of(RowInput.of(ROWS)).withApply(true);
    fails("invalid-request", () -> load(crm, rows.withPrecondition(Optional.of("maybe"))));
    fails("invalid-request", () -> load(crm, rows.withOnConflict(Optional.of("x"))));
    fails("invalid-request", () -> load(crm, rows.withBatch(OptionalLong.of(0))));
    fails(
        "invalid-request",
        () ->
            load(
                crm,
                rows.withOnConflict(Optional.of("abort"))
                    .withPrecondition(Optional.of("must_exist"))));
    fails("invalid-value", () -> load(crm, ImportRequest.of(RowInput.of("{\"x\""))));
    fails(
        "transfer",
        () -> load(crm, ImportRequest.of(RowInput.of(directory.resolve("none.jsonl")))));
    fails(
        "schema-outdated",
        () ->
            load(
                crm,
                rows.withSchema(
                    Optional.of(json(TYPES.replace("\"age\": \"long\"", "\"age\": \"long?\""))))));
    assertThat(head()).isEqualTo(1);
  }

  // --- maintenance

  @Test
  void indicesAreVerifiedAndRepaired() {
    commitRows();
    assertThat(crm.maintenance().repairIndex(new IndexRepairRequest(true, true)).repairHead())
        .contains(1L);
    assertThat(crm.maintenance().verifyIndex(new IndexVerifyRequest(true)))
        .isEqualTo(
            new IndexReport(
                1, List.of(), List.of(), List.of(), Optional.empty(), List.of(), true, false));
    assertThat(crm.maintenance().repairIndex(new IndexRepairRequest(false, false)))
        .isEqualTo(
            new IndexRepairResult(
                1, List.of(), Optional.empty(), List.of(), false, Optional.empty()));
  }

  @Test
  void aCompactionIsPlannedAndThenDone() {
    commitRows();
    for (int age = 31; age <= 34; age++) {
      age(crm, "c1", age);
    }
    CompactionRequest request = CompactionRequest.plan().withType(Optional.of("Customer"));
    CompactionResult planned = crm.maintenance().compact(request, ProgressListener.none());
    List<CompactionResult.Merge> merges =
        List.of(new CompactionResult.Merge("entity", "Customer", 5, 1, 5, 6));
    assertThat(planned).isEqualTo(new CompactionResult(merges, false, List.of()));
    assertThat(crm.maintenance().compact(request.withApply(true), ProgressListener.none()))
        .isEqualTo(new CompactionResult(merges, true, List.of()));
    assertThat(crm.maintenance().compact(request, ProgressListener.none()).planned()).isEmpty();
    fails(
        "invalid-schema",
        () ->
            crm.maintenance()
                .compact(
                    CompactionRequest.plan().withType(Optional.of("Nope")),
                    ProgressListener.none()));
  }

  @Test
  void garbageIsLookedForAtAnAgeThatIsSafe() {
    commitRows();
    GarbageReport report =
        crm.maintenance()
            .collectGarbage(GarbageRequest.plan().withApply(true), ProgressListener.none());
    assertThat(report).isEqualTo(new GarbageReport(86_400, true, 0, List.of(), List.of()));
    fails(
        "invalid-request",
        () ->
            crm.maintenance()
                .collectGarbage(
                    GarbageRequest.plan().withMinAgeSeconds(OptionalLong.of(1)),
                    ProgressListener.none()));
  }

  @Test
  void theObjectsOfALedgerAreVerified() {
    commitRows();
    age(crm, "c1", 31);
    VerifyReport report = crm.maintenance().verify(VerifyRequest.of(true), VerifyListener.none());
    assertThat(report.ok()).isTrue();
    assertThat(report.complete()).isTrue();
    assertThat(report.deep()).isTrue();
    assertThat(report.commits()).isEqualTo(2);
    assertThat(report.files()).isEqualTo(4);
    assertThat(
            crm.maintenance()
                .verify(new VerifyRequest(false, Optional.of("main@0")), VerifyListener.none())
                .files())
        .isZero();
    fails(
        "invalid-request",
        () ->
            crm.maintenance()
                .verify(new VerifyRequest(false, Optional.of("x")), VerifyListener.none()));
    fails(
        "not-found",
        () ->
            tidemark()
                .ledger("nobody")
                .maintenance()
                .verify(VerifyRequest.of(false), VerifyListener.none()));
  }

  // --- the catalog

  @Test
  void aLedgerIsMadeOnceAndAnewOnlyByItsToken() {
    InitPlan plan = tidemark().ledgers().plan(InitRequest.of(name));
    assertThat(plan.alreadyInitialized()).isTrue();
    assertThat(plan.ledger()).isEqualTo(name + ":main");
    assertThat(plan.plannedObjects()).contains("meta/head.json");
    fails("already-initialized", () -> tidemark().ledgers().init(InitRequest.of(name)));
    commitRows();
    InitRequest anew = InitRequest.of(name);
    fails("invalid-token", () -> tidemark().ledgers().init(anew.withToken(Optional.of("bad"))));
    assertThat(head()).isEqualTo(1);
    assertThat(
            tidemark().ledgers().init(anew.withToken(Optional.of(plan.forceToken()))).initialized())
        .isTrue();
    assertThat(head()).isZero();
    assertThat(commitRows().head()).isEqualTo(1);
  }

  @Test
  void aLedgerThatExistsIsGivenAnotherName() {
    commitRows();
    String place = "ledgers/" + name + "/";
    AdoptResult adopted = tidemark().ledgers().adopt(name + "b", Optional.of(place));
    assertThat(adopted.ledger()).isEqualTo(name + "b:main");
    assertThat(adopted.headCommitId()).contains(1L);
    assertThat(adopted.branches()).isEmpty();
    assertThat(tidemark().ledger(name + "b").commits().get(1)).isEqualTo(crm.commits().get(1));
    fails("uninitialized", () -> tidemark().ledgers().adopt(name + "c", Optional.of("nowhere/")));
  }
}
