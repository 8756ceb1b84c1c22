// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.Models.CUSTOMER;
import static io.tidemark.ledger.query.model.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.LaterCustomer;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.DropRequest.Dependents;
import io.tidemark.ledger.internal.catalog.Upgraders;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionOutcome;
import io.tidemark.ledger.internal.compact.CompactionPlan;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.DropPlan.History;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.objects.MemoryBackend;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compaction among migrations, drops, other programs, and by itself. */
class CompactionTest {

  private static final String INDEX = CompactionContract.INDEX;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());

  @AfterEach
  void close() {
    fixture.close();
  }

  private static void write(Ledger ledger, int from, int to) {
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      for (int i = from; i <= to; i++) {
        session.ensure(Customer.of("c" + i % 7, i)).commit();
      }
    }
    ledger.flush();
  }

  private static List<CompactionOutcome> compact(Ledger ledger, CompactionScope compactionScope) {
    return ledger
        .compaction()
        .run(ledger.compaction().plan(compactionScope), CompactionListener.none());
  }

  private int files() {
    return fixture.json(INDEX).path("entries").size();
  }

  private String snapshot() {
    return fixture.json(INDEX).at("/entries/0/path").asText();
  }

  @Test
  void rowsOfSeveralSchemaVersionsAreInOneFile() {
    Ledger ledger = fixture.init();
    write(ledger, 1, 5);
    ledger
        .schemas()
        .migrate(
            List.of(RecordType.of(LaterCustomer.class).schema()),
            Upgraders.none().with(CUSTOMER, 1, row -> row.put("note", "upgraded")),
            Approval.Force.FORCE,
            Map.of());
    ledger.flush();
    List<String> before = TemporalQueryResults.some(fixture, LaterCustomer.class);

    compact(ledger, CompactionScope.ALL);

    assertThat(files()).isEqualTo(1);
    assertThat(fixture.rows(TypeKind.ENTITY, snapshot()))
        .extracting(Row::schemaVersionId)
        .containsExactly(1L, 1L, 1L, 1L, 1L, 2L, 2L, 2L, 2L, 2L);
    assertThat(TemporalQueryResults.some(fixture, LaterCustomer.class)).isEqualTo(before);
    assertThat(fixture.duckDb(snapshot(), "SELECT count(note) FROM file")).containsExactly("5");
  }

  @Test
  void whatWasDroppedIsNotBroughtBack_f4() {
    Ledger ledger = fixture.init();
    write(ledger, 1, 3);
    CompactionPlan stale = ledger.compaction().plan(CompactionScope.ALL);
    compact(ledger, CompactionScope.ALL);
    ledger
        .schemas()
        .drop(
            new DropRequest(CUSTOMER, Set.of(), Dependents.CASCADE, History.PURGE),
            Approval.Force.FORCE,
            Map.of());
    ledger.flush();
    assertThat(ledger.compaction().plan(CompactionScope.ALL).merges()).isEmpty();
    assertThat(ledger.compaction().run(stale, CompactionListener.none()))
        .hasOnlyElementsOfType(CompactionOutcome.Stale.class);
    try (Session session = ledger.session(RecordType.of(Customer.class))) {
      session.ensure(Customer.of("new1", 1)).commit();
      session.ensure(Customer.of("new2", 2)).commit();
    }
    ledger.flush();
    assertThat(ledger.compaction().run(stale, CompactionListener.none()))
        .as("a plan from before")
        .hasOnlyElementsOfType(CompactionOutcome.Stale.class);

    compact(ledger, CompactionScope.ALL);

    assertThat(files()).isEqualTo(1);
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture);
    assertThat(crossCheckedQueries.versions(q -> q.entities(Customer.class).history()))
        .isEqualTo("5:new1 6:new2");
  }

  @Test
  void filesOfOtherProgramsAreMergedAndSorted() {
    ForeignLedger foreign = new ForeignLedger(fixture);
    foreign.init();
    foreign.register(
        DeclaredSchema.parse(
                "{\"entity\": \"Customer\", \"key\": \"id\","
                    + " \"fields\": {\"id\": \"string\", \"n\": \"long?\"}}")
            .get(0));
    foreign.commit("Customer", Map.of("b", "{\"id\":\"b\",\"n\":1}"));
    String second =
        foreign.commit(
            "Customer", Map.of("a", "{\"id\":\"a\",\"n\":2}", "b", "{\"id\":\"b\",\"n\":\"x\"}"));
    List<Row> rows = fixture.rows(TypeKind.ENTITY, second);
    byte[] unsorted = ForeignLedger.parquet("Customer", List.of(rows.get(1), rows.get(0)));
    fixture.write(second, unsorted);
    String manifest = fixture.newestManifest();
    fixture.edit(
        manifest,
        json ->
            ((ObjectNode) json.at("/files/0"))
                .put("content_sha256", LedgerFixture.sha256(unsorted)));
    Ledger ledger = fixture.open();
    String before = versions();

    assertThat(compact(ledger, CompactionScope.TIERS))
        .hasOnlyElementsOfType(CompactionOutcome.Merged.class);

    assertThat(files()).isEqualTo(1);
    assertThat(fixture.rows(TypeKind.ENTITY, snapshot()))
        .extracting(row -> row.commitId() + ":" + row.identity())
        .containsExactly("1:b", "2:a", "2:b");
    assertThat(versions()).isEqualTo(before).isEqualTo("2:a 2:b|1:b 2:a 2:b|2:a");
    foreign.commit("Customer", Map.of("c", "{\"id\":\"c\",\"n\":3}"));
    assertThat(versions()).isEqualTo("2:a 2:b 3:c|1:b 2:a 2:b 3:c|2:a 3:c");
  }

  private String versions() {
    CrossCheckedQueries crossCheckedQueries = CrossCheckedQueries.of(fixture);
    return crossCheckedQueries.versions(q -> q.entities("Customer"))
        + "|"
        + crossCheckedQueries.versions(q -> q.entities("Customer").history())
        + "|"
        + crossCheckedQueries.versions(q -> q.entities("Customer").where(field("n").gt(1)));
  }

  @Test
  void aFileThatIsNotWhatItsCommitWroteStopsItAndNothingIsPublished() {
    Ledger ledger = fixture.init();
    write(ledger, 1, 3);
    String path = fixture.json(INDEX).at("/entries/1/path").asText();
    byte[] bytes = fixture.bytes(path);
    bytes[bytes.length / 2]++;
    fixture.write(path, bytes);
    String index = fixture.text(INDEX);

    assertThatThrownBy(() -> compact(ledger, CompactionScope.ALL))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining(path);
    assertThat(fixture.text(INDEX)).isEqualTo(index);
    assertThat(fixture.paths("snapshots/")).isEmpty();
  }

  @Test
  void byHandNothingIsCompactedByItself() {
    Ledger ledger = fixture.init();
    write(ledger, 1, 20);
    ledger.close();

    assertThat(files()).isEqualTo(20);
    assertThat(fixture.paths("snapshots/")).isEmpty();
  }

  @Test
  void aReaderThatFollowsALedgerLearnsOfCompactions() {
    Ledger ledger = fixture.init();
    write(ledger, 1, 2);
    Queries reader = fixture.open().query();
    assertThat(reader.entities(Customer.class).explain().files()).hasSize(2);
    write(ledger, 3, 40);
    assertThat(reader.entities(Customer.class).explain().files()).hasSize(40);
    compact(ledger, CompactionScope.ALL);
    write(ledger, 41, 41);

    assertThat(reader.entities(Customer.class).explain().files()).hasSize(2);
    assertThat(reader.entities(Customer.class).history().count()).isEqualTo(41);
  }
}
