// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.catalog.SchemaOutdatedException;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions.Metadata;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions.Scope;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.Mode;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.OnConflict;
import io.tidemark.ledger.internal.transfer.LedgerImportReport.Status;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.InvalidSchemaException;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.ledger.schema.JsonFactCodec;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.store.UnknownCommitException;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Export and import: cases K4 to K6, and what can be wrong with the input. */
class TransferTest {

  private static final List<TypeSchema> TYPES =
      DeclaredSchema.parse(
          """
          [{"entity": "Customer", "key": "id", "fields": {"id": "string", "age": "long"}},
           {"entity": "Link", "key": "id", "fields": {"id": "string"}},
           {"relation": "Link", "left": "Customer", "right": "Customer", "instanceKey": "nr",
            "fields": {"nr": "string", "weight": "double?"}}]
          """);
  private static final List<String> FOUR =
      List.of(
          "{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"key\":\"c1\","
              + "\"fields\":{\"id\":\"c1\",\"age\":30}}",
          "{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"fields\":{\"id\":\"é😀\",\"age\":1}}",
          "{\"type_kind\":\"entity\",\"type_name\":\"Link\",\"fields\":{\"id\":\"l1\"}}",
          "{\"type_kind\":\"relation\",\"type_name\":\"Link\",\"left_key\":\"c1\","
              + "\"right_key\":\"c2\",\"instance_key\":\"1\",\"fields\":{\"weight\":0.5}}");

  @TempDir private Path directory;
  private final List<Ledger> open = new ArrayList<>();

  private Ledger ledger() {
    ObjectStore store = new ObjectStore(new MemoryBackend(), Retry.standard());
    new LedgerInitializer(store, "").init();
    Ledger ledger = Ledger.open(store, "", LedgerOptions.standard());
    open.add(ledger);
    return ledger;
  }

  @AfterEach
  void close() {
    open.forEach(Ledger::close);
  }

  private Ledger ledgerOfFour() {
    Ledger ledger = ledger();
    try (Session session = ledger.session(TYPES)) {
      JsonFactCodec facts = JsonFactCodec.of(session.checks());
      FOUR.forEach(line -> session.ensure(facts.parse(line)));
      assertThat(session.commit().orElseThrow().id()).isEqualTo(1);
    }
    return ledger;
  }

  private static void age(Ledger ledger, String id, long age) {
    try (Session session = ledger.session(TYPES)) {
      JsonFactCodec facts = JsonFactCodec.of(session.checks());
      String line = "{\"id\":\"" + id + "\",\"age\":" + age + "}";
      session.ensure(facts.parse(line, TypeId.entity("Customer"))).commit();
    }
  }

  private Inputs.Written export(Ledger ledger, LedgerExportOptions options) {
    return Inputs.write(new LedgerExport(ledger, options), directory);
  }

  private static LedgerImportReport run(
      Ledger ledger, ImportInput input, LedgerImportOptions options) {
    return new LedgerImport(ledger, options).from(input, n -> {});
  }

  private static ImportInput text(String... lines) {
    byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return Inputs.of(new ByteArrayInputStream(bytes), "input");
  }

  private static LedgerImportOptions applying(OnConflict policy) {
    return LedgerImportOptions.standard().withMode(Mode.APPLY).withOnConflict(policy);
  }

  /** Declares the types that were exported. */
  private LedgerImportOptions declaring(LedgerImportOptions options) throws IOException {
    return options.withDeclared(Inputs.schemasOf(directory));
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(directory.resolve(file));
  }

  @Test
  void caseKFourWhatWasExportedIsImportedOnce() throws IOException {
    Inputs.Written report = export(ledgerOfFour(), LedgerExportOptions.standard());
    assertThat(report.total()).isEqualTo(4);
    assertThat(report.rows()).containsEntry(TypeId.entity("Customer"), 2L);
    ImportInput input = Inputs.ofExport(directory);
    Ledger other = ledger();

    LedgerImportReport dry = run(other, input, declaring(LedgerImportOptions.standard()));
    assertThat(dry.status()).isEqualTo(Status.DRY_RUN);
    assertThat(dry.inserts()).isEqualTo(4);
    assertThat(other.log().head()).isEmpty();
    assertThat(other.schemas().current()).isEmpty();

    LedgerImportReport first = run(other, input, declaring(applying(OnConflict.ABORT)));
    assertThat(first)
        .isEqualTo(
            new LedgerImportReport(Status.APPLIED, List.of(1L), 4, 4, 0, 0, 0, 0, List.of()));

    LedgerImportReport abort = run(other, input, declaring(applying(OnConflict.ABORT)));
    assertThat(abort.status()).isEqualTo(Status.CONFLICT);
    assertThat(abort.conflicts()).isEqualTo(4);
    assertThat(abort.inserts()).isZero();
    assertThat(abort.reasons()).contains("entity:Customer c1 is there already");

    assertThat(run(other, input, declaring(applying(OnConflict.SKIP))))
        .isEqualTo(new LedgerImportReport(Status.APPLIED, List.of(), 4, 0, 0, 0, 4, 0, List.of()));
    assertThat(run(other, input, declaring(applying(OnConflict.UPSERT))))
        .isEqualTo(new LedgerImportReport(Status.APPLIED, List.of(), 4, 0, 0, 4, 0, 0, List.of()));
    assertThat(other.log().head()).contains(1L);
  }

  @Test
  void anEntityAndARelationOfOneNameHaveTwoFiles() throws IOException {
    export(ledgerOfFour(), LedgerExportOptions.standard());

    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "Customer.jsonl", "Link.jsonl", "Link@relation.jsonl", "schema.json");
    }
    assertThat(lines("Link@relation.jsonl"))
        .containsExactly(
            "{\"fields\":{\"weight\":0.5},\"instance_key\":\"1\",\"left_key\":\"c1\","
                + "\"right_key\":\"c2\",\"type_kind\":\"relation\",\"type_name\":\"Link\"}");
  }

  @Test
  void anExportIsOfTheLatestStateAPastOneOrTheHistory() throws IOException {
    Ledger ledger = ledgerOfFour();
    age(ledger, "c1", 31);
    age(ledger, "c1", 32);
    LedgerExportOptions customers =
        LedgerExportOptions.standard()
            .withTypes(Set.of(TypeId.entity("Customer")))
            .withMetadata(Metadata.COMMIT_ID);

    assertThat(export(ledger, customers).commitId()).isEqualTo(3);
    assertThat(lines("Customer.jsonl")).hasSize(2).anyMatch(line -> line.contains("\"age\":32"));
    assertThat(lines("Customer.jsonl")).anyMatch(line -> line.startsWith("{\"commit_id\":3,"));
    export(ledger, customers.withScope(new Scope.AsOf(2)));
    assertThat(lines("Customer.jsonl")).hasSize(2).anyMatch(line -> line.contains("\"age\":31"));
    Instant second = ledger.log().get(2).orElseThrow().createdAt();
    Inputs.Written then = export(ledger, customers.withScope(new Scope.AtTime(second)));
    assertThat(then.commitId()).isBetween(2L, 3L); // commits may have the same time
    assertThat(lines("Customer.jsonl"))
        .anyMatch(line -> line.contains("\"age\":" + (29 + then.commitId())));
    Instant first = ledger.log().get(1).orElseThrow().createdAt();
    assertThat(export(ledger, customers.withScope(new Scope.AtTime(first.minusMillis(1)))).total())
        .isZero();
    export(ledger, customers.withScope(new Scope.HistorySince(1)));
    assertThat(lines("Customer.jsonl"))
        .hasSize(2)
        .allMatch(line -> line.contains("\"key\":\"c1\""));
    assertThatThrownBy(() -> export(ledger, customers.withScope(new Scope.AsOf(9))))
        .isInstanceOf(UnknownCommitException.class)
        .hasMessage("there is no commit 9; take one from 1 to 3");
    assertThatThrownBy(() -> export(ledger, customers.withTypes(Set.of(TypeId.entity("Nope")))))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining("there is no type entity:Nope");
  }

  @Test
  void anExportWithMetadataIsImportedToo() throws IOException {
    export(ledgerOfFour(), LedgerExportOptions.standard().withMetadata(Metadata.COMMIT_ID));

    LedgerImportOptions options = declaring(applying(OnConflict.ABORT));
    assertThat(run(ledger(), Inputs.ofExport(directory), options).inserts()).isEqualTo(4);
  }

  @Test
  void upsertWritesWhatDiffersAndSkipWhatIsntThere() {
    Ledger ledger = ledgerOfFour();
    String changed = FOUR.get(0).replace("30", "31");
    String added = FOUR.get(1).replace("é😀", "c9");

    LedgerImportReport skip = run(ledger, text(changed, added), applying(OnConflict.SKIP));
    assertThat(skip.inserts()).isEqualTo(1);
    assertThat(skip.skipped()).isEqualTo(1);
    LedgerImportReport upsert =
        run(ledger, text(changed, added, FOUR.get(2)), applying(OnConflict.UPSERT));
    assertThat(upsert.updates()).isEqualTo(1);
    assertThat(upsert.unchanged()).isEqualTo(2);
    assertThat(upsert.commits()).containsExactly(3L);
  }

  @Test
  void ofTwoRecordsOfOneIdentityTheLastCounts() {
    LedgerImportReport report =
        run(
            ledger(),
            text(FOUR.get(0), FOUR.get(0).replace("30", "99")),
            applying(OnConflict.ABORT).withDeclared(TYPES));

    assertThat(report.totalRecords()).isEqualTo(2);
    assertThat(report.inserts()).isEqualTo(1);
  }

  @Test
  void caseKFiveAPreconditionThatDoesntHoldStopsTheImport() {
    Ledger ledger = ledgerOfFour();
    ImportInput input = text(FOUR.get(0).replace("30", "77"));
    LedgerImportOptions upsert = applying(OnConflict.UPSERT);

    LedgerImportReport other =
        run(
            ledger,
            input,
            upsert
                .withOnConflict(OnConflict.UPSERT)
                .withPrecondition(new Precondition.IfCommitId(7)));
    assertThat(other.status()).isEqualTo(Status.CONFLICT);
    assertThat(other.reasons()).containsExactly("the newest commit is 1, not 7");
    assertThat(
            run(
                    ledger,
                    text(FOUR.get(0).replace("c1", "new")),
                    upsert
                        .withOnConflict(OnConflict.UPSERT)
                        .withPrecondition(Precondition.Presence.MUST_EXIST))
                .reasons())
        .containsExactly("entity:Customer new isn't there");
    assertThat(
            run(
                    ledger,
                    text(FOUR.get(0)),
                    upsert
                        .withOnConflict(OnConflict.UPSERT)
                        .withPrecondition(Precondition.Presence.MUST_NOT_EXIST))
                .conflicts())
        .isEqualTo(1);
    assertThat(ledger.log().head()).contains(1L);
    assertThat(
            run(
                    ledger,
                    text(FOUR.get(0).replace("30", "77")),
                    upsert
                        .withOnConflict(OnConflict.UPSERT)
                        .withPrecondition(new Precondition.IfCommitId(1)))
                .commits())
        .containsExactly(2L);
  }

  @Test
  void caseKSixMetadataIsKeptWithTheCommit() {
    Ledger ledger = ledger();
    run(
        ledger,
        text(FOUR.get(0)),
        applying(OnConflict.ABORT).withDeclared(TYPES).withMetadata(Map.of("k", "v")));

    assertThat(ledger.log().get(1).orElseThrow().metadata().toString())
        .isEqualTo("{\"k\":\"v\",\"namespace\":\"default\"}");
  }

  @Test
  void inPartsEachCommitHasSoManyRowsAndTheHeadMayOnlyMoveByThem() {
    Ledger ledger = ledger();
    LedgerImportReport report =
        run(
            ledger,
            text(FOUR.toArray(String[]::new)),
            applying(OnConflict.ABORT)
                .withOnConflict(OnConflict.ABORT)
                .withPrecondition(new Precondition.IfCommitId(0))
                .withDeclared(TYPES)
                .withPartSize(3));

    assertThat(report.commits()).containsExactly(1L, 2L);
    assertThat(report.inserts()).isEqualTo(4);
    assertThat(ledger.log().get(1).orElseThrow().operations()).isEqualTo(3);
    assertThat(
            run(
                    ledger,
                    text(FOUR.toArray(String[]::new)),
                    applying(OnConflict.ABORT).withPartSize(1))
                .conflicts())
        .isEqualTo(4);
    assertThat(ledger.log().head()).contains(2L);
  }

  @Test
  void whatIsWrongIsNamedByItsLineAndNothingIsCommitted() {
    Ledger ledger = ledgerOfFour();
    LedgerImportOptions options = applying(OnConflict.UPSERT);

    assertThatThrownBy(() -> run(ledger, text(FOUR.get(0), "", "{\"a\":"), options))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("input, line 3: a line isn't JSON");
    assertThatThrownBy(() -> run(ledger, text(FOUR.get(0).replace("\"c1\"", "\" \"")), options))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("line 1: ")
        .hasMessageContaining("blank");
    assertThatThrownBy(() -> run(ledger, text(FOUR.get(0).replace("30", "\"30\"")), options))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("entity:Customer c1")
        .hasMessageContaining("age");
    assertThatThrownBy(() -> run(ledger, text(FOUR.get(0).replace("Customer", "Custmer")), options))
        .isInstanceOf(InvalidSchemaException.class)
        .hasMessageContaining("entity:Custmer");
    assertThatThrownBy(() -> run(ledger, text("{\"a\":1}"), options))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("doesn't say its type");
    byte[] latin = {'{', (byte) 0xe9, '}'};
    assertThatThrownBy(
            () -> run(ledger, Inputs.of(new ByteArrayInputStream(latin), "latin"), options))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("latin isn't UTF-8, near line 1; convert it");
    assertThat(ledger.log().head()).contains(1L);
  }

  @Test
  void otherSchemasThanThoseOfTheLedgerAreRefused() {
    List<TypeSchema> other =
        DeclaredSchema.parse(
            "{\"entity\":\"Customer\",\"key\":\"id\",\"fields\":{\"id\":\"string\"}}");

    assertThatThrownBy(
            () -> run(ledgerOfFour(), text(), LedgerImportOptions.standard().withDeclared(other)))
        .isInstanceOf(SchemaOutdatedException.class)
        .hasMessageContaining("removed age");
  }

  @Test
  void anArrayIsAsGoodAsLines() {
    String array =
        "\uFEFF [ {\"type_kind\":\"entity\",\"type_name\":\"Link\",\"fields\":{\"id\":\"],\\\"[\"}}"
            + " ,\n"
            + FOUR.get(0)
            + "\n]\n";

    assertThat(run(ledger(), text(array), applying(OnConflict.ABORT).withDeclared(TYPES)).inserts())
        .isEqualTo(2);
    assertThatThrownBy(
            () -> run(ledgerOfFour(), text("[" + FOUR.get(0)), LedgerImportOptions.standard()))
        .hasMessageContaining("has no ']' at its end");
    assertThatThrownBy(() -> run(ledgerOfFour(), text("[] x"), LedgerImportOptions.standard()))
        .hasMessageContaining("goes on after the ']'");
  }
}
