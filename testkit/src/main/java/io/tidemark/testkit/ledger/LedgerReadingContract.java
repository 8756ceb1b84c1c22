// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.Tidemark;
import io.tidemark.api.Cancellation;
import io.tidemark.api.Page;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.AggregateSpec;
import io.tidemark.api.ledger.AsOf;
import io.tidemark.api.ledger.CommitChangesHeader;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CommitsRequest;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.ExportHeader;
import io.tidemark.api.ledger.ExportReport;
import io.tidemark.api.ledger.ExportRequest;
import io.tidemark.api.ledger.Having;
import io.tidemark.api.ledger.InfoRequest;
import io.tidemark.api.ledger.LedgerEntry;
import io.tidemark.api.ledger.LedgerQueries;
import io.tidemark.api.ledger.LedgerRow;
import io.tidemark.api.ledger.LedgerService;
import io.tidemark.api.ledger.LedgerSummary;
import io.tidemark.api.ledger.QueryExplanation;
import io.tidemark.api.ledger.QueryRequest;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.api.ledger.RowPage;
import io.tidemark.api.ledger.RowsHeader;
import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.api.ledger.SqlHeader;
import io.tidemark.api.ledger.SqlRequest;
import io.tidemark.api.ledger.TypeVersion;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract of what reads a ledger: its results, and the codes of its failures, are equal in process
 * and over HTTP.
 */
public abstract class LedgerReadingContract {

  /** Types of the ledger {@code crm}. */
  protected static final String TYPES =
      """
      [{"entity":"Customer","key":"id","fields":
          {"id":"string","age":"long","tier":{"type":"string","index":true},"note":"any"}},
       {"entity":"Plan","key":"id","fields":{"id":"string","price":"decimal"}},
       {"relation":"Uses","left":"Customer","right":"Plan","fields":{"seats":"long"}}]
      """;

  /** Commits of the ledger {@code crm}, each with lines as an export writes them. */
  protected static final List<List<String>> COMMITS =
      List.of(
          List.of(
              customer("c1", 30, "Gold", "1"),
              customer("c2", 40, "Silver", "null"),
              customer("c3", 50, "Gold", "9007199254740993")),
          List.of(customer("c1", 31, "Gold", "1.50")),
          List.of(
              "{\"type_kind\":\"entity\",\"type_name\":\"Plan\","
                  + "\"fields\":{\"id\":\"p1\",\"price\":5.25}}",
              "{\"type_kind\":\"relation\",\"type_name\":\"Uses\",\"left_key\":\"c1\","
                  + "\"right_key\":\"p1\",\"fields\":{\"seats\":2}}"));

  /** Metadata of the second commit; the others have none. */
  protected static final Map<String, String> SECOND = Map.of("ticket", "42");

  @TempDir protected Path directory;

  private Tidemark tidemark;
  private LedgerService crm;

  /** Returns an open Tidemark with the ledger {@code crm}; closed by the suite. */
  protected abstract Tidemark open();

  private static String customer(String id, int age, String tier, String note) {
    return "{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"fields\":"
        + "{\"id\":\"%s\",\"age\":%d,\"tier\":\"%s\",\"note\":%s}}".formatted(id, age, tier, note);
  }

  @BeforeEach
  void openLedger() {
    tidemark = open();
    crm = tidemark.ledger("crm");
  }

  @AfterEach
  void closeLedger() {
    tidemark.close();
  }

  private static void fails(ErrorCode code, ThrowingCallable call) {
    assertThatExceptionOfType(TidemarkException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code.text()));
  }

  private static List<String> keys(RowPage page) {
    return page.rows().stream().flatMap(row -> row.key().stream()).toList();
  }

  private static <T> List<T> all(ResultStream<?, T> result) {
    List<T> items = new ArrayList<>();
    try (result) {
      result.forEach(items::add);
    }
    return items;
  }

  private static JsonNode number(long value) {
    return JsonNodeFactory.instance.numberNode(value);
  }

  private static JsonNode text(String value) {
    return JsonNodeFactory.instance.textNode(value);
  }

  @Test
  void rowsAreFoundAndOrdered() {
    RowPage page =
        crm.queries()
            .page(
                QueryRequest.of("Customer")
                    .where("age > 30")
                    .where("tier = \"Gold\"")
                    .orderBy("age desc"));
    assertThat(keys(page)).containsExactly("c3", "c1");
    assertThat(page.commitId()).isEqualTo(3);
    assertThat(page.next()).isEmpty();
    assertThat(page.schema()).isEmpty();
    assertThat(WireJson.text(page.rows().get(1)))
        .isEqualTo(
            "{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"key\":\"c1\",\"commit_id\":2,"
                + "\"fields\":{\"age\":31,\"id\":\"c1\",\"note\":1.5,\"tier\":\"Gold\"}}");
    assertThat(page.rows().get(0).fields().path("note").bigIntegerValue())
        .isEqualTo("9007199254740993");
  }

  @Test
  void pagesGoOnAsOfOneCommit() {
    QueryRequest byAge = QueryRequest.of("Customer").orderBy("age").limit(2);
    RowPage first = crm.queries().page(byAge);
    assertThat(keys(first)).containsExactly("c1", "c2");
    RowPage second = crm.queries().page(byAge.withCursor(first.next()));
    assertThat(keys(second)).containsExactly("c3");
    assertThat(second.next()).isEmpty();
    RowPage none = crm.queries().page(byAge.limit(0));
    assertThat(none.rows()).isEmpty();
    assertThat(none.next()).isEmpty();
    assertThat(none.commitId()).isEqualTo(3);
    assertThat(keys(crm.queries().page(byAge.withOffset(OptionalLong.of(1)))))
        .containsExactly("c2", "c3");
  }

  @Test
  void aPageHasTheSchemaOfItsRowsIfAskedFor() {
    RowPage page = crm.queries().page(QueryRequest.of("Uses").withSchema(true));
    assertThat(page.schema().orElseThrow())
        .isEqualTo(crm.types().show("Uses", OptionalLong.empty()).schema());
  }

  @Test
  void thePastIsThatOfACommitOrATime() {
    QueryRequest one = QueryRequest.of("Customer").where("@key = \"c1\"");
    assertThat(
            crm.queries()
                .page(one.asOf(AsOf.commit(1)))
                .rows()
                .get(0)
                .fields()
                .path("age")
                .asLong())
        .isEqualTo(30);
    Instant second = crm.commits().get(2).timestamp();
    RowPage then = crm.queries().page(one.asOf(AsOf.time(second)));
    assertThat(then.rows().get(0).fields().path("age").asLong()).isEqualTo(31);
    assertThat(then.commitId()).isGreaterThanOrEqualTo(2);
    assertThat(crm.queries().page(one.asOf(AsOf.time(Instant.EPOCH))).rows()).isEmpty();
    assertThat(crm.queries().page(one.withHistory(true)).rows())
        .extracting(LedgerRow::commitId)
        .containsExactly(1L, 2L);
    assertThat(crm.queries().page(one.withSince(OptionalLong.of(1))).rows()).hasSize(1);
  }

  @Test
  void rowsAreStreamedWithTheCommitTheyAreOf() {
    try (ResultStream<RowsHeader, LedgerRow> rows =
        crm.queries().rows(QueryRequest.of("Customer").orderBy("age"))) {
      assertThat(rows.header().commitId()).isEqualTo(3);
      assertThat(rows.header().schemaVersions()).isEmpty();
      List<String> keys = new ArrayList<>();
      rows.forEach(row -> keys.add(row.key().orElseThrow()));
      assertThat(keys).containsExactly("c1", "c2", "c3");
    }
  }

  @Test
  void endsOfRelationsAreThereIfAskedFor() {
    QueryRequest uses = QueryRequest.of("Uses").where("left.tier = \"Gold\"");
    LedgerRow row = crm.queries().page(uses.withEnds(true)).rows().get(0);
    assertThat(row.leftKey()).contains("c1");
    assertThat(row.rightKey()).contains("p1");
    assertThat(row.key()).isEmpty();
    assertThat(row.left().orElseThrow().path("age").asLong()).isEqualTo(31);
    assertThat(row.right().orElseThrow().path("price").decimalValue()).isEqualByComparingTo("5.25");
    assertThat(crm.queries().page(uses).rows().get(0).left()).isEmpty();
  }

  @Test
  void rowsAreCountedAndAggregated() {
    LedgerQueries data = crm.queries();
    QueryRequest customers = QueryRequest.of("Customer");
    assertThat(data.count(customers.where("age > 35")).count()).isEqualTo(2);
    Map<String, AggregateSpec> figures = new LinkedHashMap<>();
    figures.put("n", AggregateSpec.count());
    figures.put("oldest", AggregateSpec.of("max", "age"));
    figures.put("gold", AggregateSpec.of("countWhere", "tier = \"Gold\""));
    assertThat(WireJson.text(data.aggregates(customers.withAggregate(figures))))
        .isEqualTo("{\"figures\":{\"n\":3,\"oldest\":50,\"gold\":2}}");
    QueryRequest byTier =
        customers
            .withGroupBy(List.of("tier"))
            .withAggregate(Map.of("sum", AggregateSpec.of("sum", "age")));
    assertThat(data.groups(byTier).groups()).hasSize(2);
    Having several = new Having(AggregateSpec.count(), ">", number(1));
    assertThat(WireJson.text(data.groups(byTier.withHaving(Optional.of(several)))))
        .isEqualTo("{\"groups\":[{\"key\":{\"tier\":\"Gold\"},\"figures\":{\"sum\":81}}]}");
  }

  @Test
  void aQueryIsExplained() {
    QueryExplanation explained =
        crm.queries().explain(QueryRequest.of("Customer").where("age > 30"));
    assertThat(explained.engine()).isNotEmpty();
    assertThat(explained.headCommitId()).isEqualTo(3);
    assertThat(explained.filter()).contains("age");
    assertThat(explained.fileCount()).isEqualTo(explained.files().size()).isPositive();
    assertThat(explained.steps()).isNotEmpty();
    QueryRequest count = QueryRequest.of("Customer").withCount(true);
    assertThat(crm.queries().explain(count).engine()).isNotEmpty();
  }

  @Test
  void sqlIsAnsweredWithItsColumns() {
    SqlRequest request =
        SqlRequest.of("SELECT id, age FROM Customer WHERE age > ? ORDER BY id")
            .withParameters(List.of(number(30)));
    try (ResultStream<SqlHeader, ObjectNode> answer = crm.queries().sql().query(request)) {
      assertThat(answer.header().commitId()).isEqualTo(3);
      assertThat(answer.header().columns())
          .containsExactly(Map.entry("id", "VARCHAR"), Map.entry("age", "BIGINT"));
      List<String> rows = new ArrayList<>();
      answer.forEach(row -> rows.add(row.toString()));
      assertThat(rows)
          .containsExactly(
              "{\"id\":\"c1\",\"age\":31}",
              "{\"id\":\"c2\",\"age\":40}",
              "{\"id\":\"c3\",\"age\":50}");
    }
    assertThat(all(crm.queries().sql().query(request.withAsOf(Optional.of(AsOf.commit(1))))))
        .hasSize(2);
    assertThat(crm.queries().sql().explain(SqlRequest.of("SELECT * FROM Customer"))).isNotEmpty();
  }

  @Test
  void sqlIsWrittenToAParquetFile() throws IOException {
    Path file = directory.resolve("answer.parquet");
    List<SchemaVersionMix> notes = new ArrayList<>();
    SqlRequest request = SqlRequest.of("SELECT * FROM Customer");
    assertThat(crm.queries().sql().write(request, file, notes::addAll)).isEqualTo(3);
    assertThat(notes).isEmpty();
    assertThat(Files.readAllBytes(file))
        .startsWith('P', 'A', 'R', '1')
        .endsWith('P', 'A', 'R', '1');
  }

  @Test
  void commitsAreListedFromTheNewest() {
    Page<CommitSummary> first = crm.commits().list(CommitsRequest.newest(2));
    assertThat(first.items()).extracting(CommitSummary::commitId).containsExactly(3L, 2L);
    Page<CommitSummary> second =
        crm.commits().list(CommitsRequest.newest(2).withCursor(first.next()));
    assertThat(second.items()).extracting(CommitSummary::commitId).containsExactly(1L);
    assertThat(second.next()).isEmpty();
    assertThat(crm.commits().list(CommitsRequest.newest(5).withMeta(SECOND)).items())
        .extracting(CommitSummary::commitId)
        .containsExactly(2L);
    assertThat(crm.commits().list(CommitsRequest.newest(5).withSince(2)).items())
        .extracting(CommitSummary::commitId)
        .containsExactly(3L);
    assertThat(crm.commits().head()).isEqualTo(3);
    CommitSummary commit = crm.commits().get(2);
    assertThat(commit.operations()).isEqualTo(1);
    assertThat(commit.meta().path("ticket")).isEqualTo(text("42"));
  }

  @Test
  void changesOfACommitAreTold() {
    try (ResultStream<CommitChangesHeader, RowChange> changes = crm.commits().changes(2)) {
      assertThat(changes.header().commitId()).isEqualTo(2);
      assertThat(changes.header().purged()).isEmpty();
      List<RowChange> all = new ArrayList<>();
      changes.forEach(all::add);
      assertThat(all)
          .singleElement()
          .satisfies(
              change -> {
                assertThat(change.operation()).isEqualTo("update_version");
                assertThat(change.key()).contains("c1");
                assertThat(change.beforeCommitId()).contains(1L);
                assertThat(change.before().orElseThrow().path("age").asLong()).isEqualTo(30);
                assertThat(change.after().path("age").asLong()).isEqualTo(31);
              });
    }
    assertThat(all(crm.commits().changes(1))).hasSize(3).allMatch(each -> each.before().isEmpty());
  }

  @Test
  void statesAreCompared() {
    try (ResultStream<DiffSummary, RowDifference> diff =
        crm.commits().diff(DiffRequest.of("1", "head"), read -> {})) {
      assertThat(diff.header().from()).isEqualTo("main@1");
      assertThat(diff.header().to()).isEqualTo("main@3");
      assertThat(diff.header().ancestor()).contains(1L);
      assertThat(diff.header().counts())
          .containsExactly(
              new DiffSummary.TypeCounts("entity", "Customer", 0, 1, 0),
              new DiffSummary.TypeCounts("entity", "Plan", 1, 0, 0),
              new DiffSummary.TypeCounts("relation", "Uses", 1, 0, 0));
      List<String> operations = new ArrayList<>();
      diff.forEach(each -> operations.add(each.operation() + " " + each.typeName()));
      assertThat(operations).containsExactly("changed Customer", "inserted Plan", "inserted Uses");
    }
    try (ResultStream<DiffSummary, RowDifference> stat =
        crm.commits().diff(DiffRequest.of("3", "1").withStat(true), read -> {})) {
      assertThat(stat.header().counts()).hasSize(3);
      stat.forEach(each -> assertThat(each).as("only counts were asked for").isNull());
    }
  }

  @Test
  void typesAreShownWithTheirVersions() {
    assertThat(crm.types().list())
        .extracting(type -> type.typeKind() + ":" + type.typeName())
        .containsExactly("entity:Customer", "entity:Plan", "relation:Uses");
    TypeVersion customer = crm.types().show("Customer", OptionalLong.of(1));
    assertThat(customer.schemaVersionId()).isEqualTo(1);
    assertThat(customer.schema().path("fields").has("tier")).isTrue();
    assertThat(crm.types().history("relation:Uses")).hasSize(1);
  }

  @Test
  void theSummarySaysHowTheLedgerIs() {
    LedgerSummary brief = crm.info(InfoRequest.brief());
    assertThat(brief.ledger()).isEqualTo("crm:main");
    assertThat(brief.headCommitId()).contains(3L);
    assertThat(brief.lastIndexWarning()).isEmpty();
    assertThat(brief.entityCounts()).isEmpty();
    LedgerSummary whole = crm.info(new InfoRequest(true, true));
    assertThat(whole.entityCounts().orElseThrow()).isEqualTo(Map.of("Customer", 3L, "Plan", 1L));
    assertThat(whole.relationCounts().orElseThrow()).isEqualTo(Map.of("Uses", 1L));
    assertThat(whole.relationSchemas().orElseThrow()).containsOnlyKeys("Uses");
  }

  @Test
  void rowsAreExported() throws IOException {
    try (ResultStream<ExportHeader, String> lines = crm.transfer().lines(ExportRequest.all())) {
      assertThat(lines.header().commitId()).isEqualTo(3);
      assertThat(lines.header().types()).extracting(ExportHeader.ExportedType::file).hasSize(3);
      List<String> all = new ArrayList<>();
      lines.forEach(all::add);
      assertThat(all)
          .hasSize(5)
          .contains(
              "{\"fields\":{\"age\":31,\"id\":\"c1\",\"note\":1.5,\"tier\":\"Gold\"},"
                  + "\"key\":\"c1\",\"type_kind\":\"entity\",\"type_name\":\"Customer\"}");
    }
    Path out = directory.resolve("out");
    ExportRequest customers =
        ExportRequest.all().withTypes(List.of("Customer")).withAsOf(Optional.of(AsOf.commit(1)));
    ExportReport report = crm.transfer().export(customers, out, rows -> {});
    assertThat(report.commitId()).isEqualTo(1);
    assertThat(report.rows()).isEqualTo(Map.of("entity:Customer", 3L));
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("Customer.jsonl", "schema.json");
    }
    assertThat(Files.readAllLines(out.resolve("Customer.jsonl"))).hasSize(3);
    assertThat(Files.readString(out.resolve("schema.json")))
        .startsWith("[{\"")
        .contains("\"Customer\"")
        .endsWith("]\n");
  }

  @Test
  void ledgersAreListed() {
    try (Stream<LedgerEntry> ledgers = tidemark.ledgers().list("c")) {
      assertThat(ledgers).containsExactly(new LedgerEntry("crm:main", Optional.of(3L)));
    }
    try (Stream<LedgerEntry> ledgers = tidemark.ledgers().list("x")) {
      assertThat(ledgers).isEmpty();
    }
  }

  @Test
  void failuresHaveTheirCodes() {
    LedgerQueries data = crm.queries();
    QueryRequest customers = QueryRequest.of("Customer");
    fails(ErrorCode.NOT_FOUND, () -> tidemark.ledger("nope").queries().page(customers));
    fails(ErrorCode.INVALID_SCHEMA, () -> data.page(QueryRequest.of("Nobody")));
    fails(ErrorCode.INVALID_FILTER, () -> data.page(customers.where("tier = Gold")));
    fails(ErrorCode.INVALID_QUERY, () -> data.page(customers.where("size > 3")));
    fails(ErrorCode.INVALID_QUERY, () -> data.page(customers.orderBy("size")));
    fails(ErrorCode.INVALID_QUERY, () -> data.page(customers.withCursor(Optional.of("x"))));
    fails(
        ErrorCode.INVALID_REQUEST,
        () -> data.page(customers.withHistory(true).withSince(OptionalLong.of(1))));
    fails(ErrorCode.INVALID_REQUEST, () -> data.count(customers.limit(1)));
    fails(
        ErrorCode.INVALID_REQUEST,
        () ->
            data.aggregates(
                customers.withAggregate(Map.of("m", AggregateSpec.of("median", "age")))));
    assertThatIllegalArgumentException().isThrownBy(() -> customers.orderBy("age down"));
    fails(ErrorCode.INVALID_SQL, () -> all(data.sql().query(SqlRequest.of("SELEC 1"))));
    fails(ErrorCode.REFUSED_SQL, () -> all(data.sql().query(SqlRequest.of("DROP TABLE Customer"))));
    fails(
        ErrorCode.SQL_LIMIT,
        () ->
            all(
                data.sql()
                    .query(
                        SqlRequest.of("SELECT * FROM Customer").withMaxRows(OptionalLong.of(2)))));
    Path file = directory.resolve("refused.parquet");
    fails(
        ErrorCode.SQL_LIMIT,
        () ->
            data.sql()
                .write(
                    SqlRequest.of("SELECT * FROM Customer").withMaxRows(OptionalLong.of(2)),
                    file,
                    notes -> {}));
    assertThat(file).doesNotExist();
    fails(ErrorCode.NOT_FOUND, () -> crm.commits().get(9));
    fails(ErrorCode.NOT_FOUND, () -> all(crm.commits().changes(9)));
    fails(
        ErrorCode.NOT_FOUND,
        () -> all(crm.commits().diff(DiffRequest.of("1", "nobody"), read -> {})));
    fails(ErrorCode.NOT_FOUND, () -> crm.types().show("Nobody", OptionalLong.empty()));
    fails(ErrorCode.NOT_FOUND, () -> crm.types().show("Customer", OptionalLong.of(7)));
    fails(ErrorCode.NOT_FOUND, () -> crm.types().history("Nobody"));
    fails(
        ErrorCode.INVALID_SCHEMA,
        () -> all(crm.transfer().lines(ExportRequest.all().withTypes(List.of("Nobody")))));
  }

  @Test
  void aTypeThatTheLedgerDoesNotHaveIsRefusedWhereverItIsNamed() throws IOException {
    LedgerQueries data = crm.queries();
    QueryRequest nobody = QueryRequest.of("Nobody");
    List<ThrowingCallable> queries =
        List.of(
            () -> data.page(nobody),
            () -> data.page(nobody.withAsOf(Optional.of(AsOf.commit(1)))),
            () -> data.page(nobody.withHistory(true)),
            () -> all(data.rows(nobody)),
            () -> data.count(nobody),
            () -> data.aggregates(nobody.withAggregate(Map.of("n", AggregateSpec.count()))),
            () ->
                data.groups(
                    nobody
                        .withGroupBy(List.of("tier"))
                        .withAggregate(Map.of("n", AggregateSpec.count()))),
            () -> data.explain(nobody),
            () -> all(crm.transfer().lines(ExportRequest.all().withTypes(List.of("Nobody")))));
    for (ThrowingCallable query : queries) {
      fails(ErrorCode.INVALID_SCHEMA, query);
    }
    fails(ErrorCode.INVALID_SQL, () -> all(data.sql().query(SqlRequest.of("FROM Nobody"))));
    fails(ErrorCode.NOT_FOUND, () -> crm.types().show("Nobody", OptionalLong.empty()));
    assertThat(data.page(QueryRequest.of("Customer").withAsOf(Optional.of(AsOf.commit(0)))).rows())
        .as("one that it has now had no rows before it was written")
        .isEmpty();
  }

  @Test
  void aCancelledLedgerAnswersNothing() {
    Cancellation cancellation = new Cancellation();
    LedgerService ledger = crm.withCancellation(cancellation);
    assertThat(ledger.queries().count(QueryRequest.of("Customer")).count()).isEqualTo(3);
    TidemarkException gone = new TidemarkException(ErrorCode.STOPPED, "the caller has gone away");
    cancellation.cancel(gone);
    fails(ErrorCode.STOPPED, () -> ledger.queries().page(QueryRequest.of("Customer")));
    fails(ErrorCode.STOPPED, () -> all(ledger.queries().rows(QueryRequest.of("Customer"))));
  }

  @Test
  void aResultThatIsCancelledWhileItIsReadEnds() {
    Cancellation cancellation = new Cancellation();
    TidemarkException gone = new TidemarkException(ErrorCode.STOPPED, "the caller has gone away");
    try (ResultStream<RowsHeader, LedgerRow> rows =
        crm.withCancellation(cancellation).queries().rows(QueryRequest.of("Customer"))) {
      cancellation.cancel(gone);
      fails(ErrorCode.STOPPED, () -> rows.forEach(row -> {}));
    }
  }
}
