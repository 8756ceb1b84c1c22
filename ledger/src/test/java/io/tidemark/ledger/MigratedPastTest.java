// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.catalog.Approval;
import io.tidemark.ledger.internal.catalog.DropRequest;
import io.tidemark.ledger.internal.catalog.FieldRules;
import io.tidemark.ledger.internal.catalog.FieldRules.Assign;
import io.tidemark.ledger.internal.catalog.FieldRules.Remove;
import io.tidemark.ledger.internal.catalog.FieldRules.Rename;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.sql.SqlLimits;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.internal.transfer.LedgerExport;
import io.tidemark.ledger.internal.transfer.LedgerExportOptions;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.SqlQuery;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Fields;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.DropPlan;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * States from before a migration, by the files, by a replica and by Java: in the schema of now, in
 * that of then, and with fields that were added, removed, renamed and converted.
 */
class MigratedPastTest {

  private static final TypeId PERSON = TypeId.entity("Person");
  private static final TypeId KNOWS = TypeId.relation("Knows");

  @TempDir private Path cache;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private Ledger ledger;
  private final List<Ledger> readers = new ArrayList<>();

  @BeforeEach
  void open() {
    ledger = fixture.init();
    QuerySettings queries = LedgerFixture.QUERIES.withCache(cache);
    for (QuerySettings each :
        List.of(queries.withEngine(Engine.SCAN), queries, queries.withReplica(Replication.KEPT))) {
      readers.add(fixture.open(LedgerFixture.options().withQueries(each)));
    }
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static List<TypeSchema> people(String fields) {
    return DeclaredSchema.parse(
        "[{\"entity\": \"Person\", \"key\": \"id\", \"fields\": {\"id\": \"string\", "
            + fields
            + "}}, {\"relation\": \"Knows\", \"left\": \"Person\", \"right\": \"Person\","
            + " \"fields\": {\"since\": \"long\"}}]");
  }

  private void write(List<TypeSchema> types, String... people) {
    try (Session session = ledger.session(types)) {
      for (String person : people) {
        session.ensure(PERSON, (ObjectNode) LedgerFixture.parse(person));
      }
      session.commit();
    }
  }

  private void migrate(List<TypeSchema> types, FieldRules rules) {
    ledger
        .schemas()
        .migrate(
            types,
            rules.upgraders(ledger.schemas().current(), types),
            Approval.Force.FORCE,
            Map.of());
  }

  private static FieldRules rules(Rename... renames) {
    return new FieldRules(List.of(renames), List.of(), List.of());
  }

  /** Asks every engine, and returns the answer on which all agree. */
  private <A> A all(Function<Queries, A> question) {
    A expected = question.apply(readers.get(0).query());
    for (Ledger reader : readers) {
      assertThat(question.apply(reader.query())).isEqualTo(expected);
    }
    return expected;
  }

  private String text(Function<Queries, String> question) {
    return all(question);
  }

  private List<String> rows(Function<QueryBuilder<ObjectNode>, QueryBuilder<ObjectNode>> asked) {
    return all(
        queries ->
            asked.apply(queries.rows(PERSON)).list().stream()
                .map(
                    resultRow ->
                        resultRow.meta().commitId() + " " + CanonicalJson.write(resultRow.value()))
                .toList());
  }

  private String mixes(Function<QueryBuilder<ObjectNode>, QueryBuilder<ObjectNode>> asked) {
    return all(queries -> asked.apply(queries.rows(PERSON)).versions().toString());
  }

  @Test
  void anAddedFieldIsNullInWhatWasBefore() {
    write(people("\"age\": \"long\""), "{\"id\":\"a\",\"age\":30}");
    List<TypeSchema> later = people("\"age\": \"long\", \"email\": \"string?\"");
    migrate(later, rules());
    write(later, "{\"id\":\"a\",\"age\":31,\"email\":\"a@x.org\"}");

    assertThat(rows(query -> query.asOf(1)))
        .containsExactly("1 {\"age\":30,\"email\":null,\"id\":\"a\"}");
    assertThat(rows(QueryBuilder::history))
        .containsExactly(
            "1 {\"age\":30,\"email\":null,\"id\":\"a\"}",
            "2 {\"age\":30,\"email\":null,\"id\":\"a\"}",
            "3 {\"age\":31,\"email\":\"a@x.org\",\"id\":\"a\"}");
    assertThat(rows(query -> query.asOf(1).inSchemaOf(1)))
        .containsExactly("1 {\"age\":30,\"id\":\"a\"}");
    assertThat(rows(query -> query.inSchemaOf(1))).containsExactly("3 {\"age\":31,\"id\":\"a\"}");
    assertThat(mixes(query -> query.asOf(1)))
        .isEqualTo("[entity:Person: 1 row of version 1 shown in version 2]");
    assertThat(mixes(query -> query)).isEqualTo("[]");
    assertThat(mixes(query -> query.inSchemaOf(1)))
        .isEqualTo("[entity:Person: 1 row of version 2 shown in version 1]");
    assertThatThrownBy(
            () -> readers.get(1).query().rows(PERSON).inSchemaOf(1).orderBy("email").list())
        .isInstanceOf(InvalidQueryException.class);
  }

  @Test
  void aRenamedFieldIsFoundUnderItsNewNameThroughSeveralMigrations() {
    write(people("\"name\": \"string\""), "{\"id\":\"a\",\"name\":\"Ann\"}");
    migrate(people("\"title\": \"string\""), rules(new Rename(PERSON, "name", "title")));
    migrate(
        people("\"label\": \"string\", \"name\": \"string?\""),
        rules(new Rename(PERSON, "title", "label")));

    assertThat(rows(query -> query.asOf(1)))
        .as("a name that came back is another field")
        .containsExactly("1 {\"id\":\"a\",\"label\":\"Ann\",\"name\":null}");
    assertThat(rows(query -> query.asOf(2).inSchemaOf(1)))
        .containsExactly("2 {\"id\":\"a\",\"name\":\"Ann\"}");
    assertThat(rows(query -> query.asOf(1).inSchemaOf(2)))
        .containsExactly("1 {\"id\":\"a\",\"title\":\"Ann\"}");
    assertThat(
            text(
                queries ->
                    queries
                        .rows(PERSON)
                        .asOf(1)
                        .groupBy("label")
                        .agg(Map.of("n", Aggregate.count()))
                        .toString()))
        .contains("Ann");
  }

  @Test
  void aRemovedFieldIsNotShownAndAConvertedOneIsNullWhereItDoesNotFit() {
    write(
        people("\"old\": \"string\", \"n\": \"double\""),
        "{\"id\":\"a\",\"old\":\"x\",\"n\":2.0}",
        "{\"id\":\"b\",\"old\":\"y\",\"n\":2.5}");
    migrate(
        people("\"n\": \"long\""),
        new FieldRules(
            List.of(),
            List.of(new Remove(PERSON, "old")),
            List.of(new Assign(PERSON, "n", LedgerFixture.parse("7")))));

    assertThat(rows(query -> query.asOf(1)))
        .containsExactly("1 {\"id\":\"a\",\"n\":2}", "1 {\"id\":\"b\",\"n\":null}");
    assertThat(mixes(query -> query.asOf(1)))
        .isEqualTo(
            "[entity:Person: 2 rows of version 1 shown in version 2 (n converted, null where a value"
                + " doesn't fit)]");
    assertThat(rows(query -> query))
        .containsExactly("2 {\"id\":\"a\",\"n\":7}", "2 {\"id\":\"b\",\"n\":7}");
    assertThat(text(queries -> queries.rows(PERSON).asOf(1).sum("n").toString())).isEqualTo("2");
  }

  @Test
  void endsTraversalsAndSqlShowThePastToo() throws Exception {
    List<TypeSchema> first = people("\"name\": \"string\"");
    try (Session session = ledger.session(first)) {
      for (String id : List.of("a", "b")) {
        session.ensure(PERSON, CanonicalJson.object().put("id", id).put("name", "N" + id));
      }
      session.ensure(
          KNOWS, new Identity.RelationKey("a", "b", ""), CanonicalJson.object().put("since", 1));
      session.commit();
    }
    migrate(people("\"label\": \"string\""), rules(new Rename(PERSON, "name", "label")));

    assertThat(
            text(
                queries ->
                    queries
                        .rows(KNOWS)
                        .asOf(1)
                        .where(Fields.right("label").eq("Nb"))
                        .withEnds()
                        .first()
                        .orElseThrow()
                        .left()
                        .orElseThrow()
                        .fields()
                        .toString()))
        .isEqualTo("{\"id\":\"a\",\"label\":\"Na\"}");
    assertThat(
            text(
                queries ->
                    queries
                        .rows(PERSON)
                        .asOf(1)
                        .via("Knows")
                        .list()
                        .get(0)
                        .reached()
                        .get(0)
                        .fields()
                        .toString()))
        .isEqualTo("{\"id\":\"b\",\"label\":\"Nb\"}");
    List<String> told = new ArrayList<>();
    try (SqlResult answer =
        readers
            .get(1)
            .query()
            .sql("SELECT count(*), min(label) FROM Person")
            .asOf(1)
            .onVersionMix(mixes -> mixes.forEach(mix -> told.add(mix.toString())))
            .execute()) {
      assertThat(answer.next().orElseThrow())
          .extracting(JsonNode::asText)
          .containsExactly("2", "Na");
    }
    assertThat(told).containsExactly("entity:Person: 2 rows of version 1 shown in version 2");
    try (SqlResult answer =
        readers.get(1).query().sql("SELECT name FROM Person ORDER BY 1").inSchemaOf(1).execute()) {
      assertThat(answer.next().orElseThrow()).extracting(JsonNode::asText).containsExactly("Na");
    }
  }

  private static List<TypeSchema> workers(String works, String company) {
    return DeclaredSchema.parse(
        "[{\"entity\": \"Worker\", \"key\": \"id\", \"fields\": {\"id\": \"string\"}},"
            + " {\"entity\": \"Company\", \"key\": \"id\", \"fields\": {\"id\": \"string\""
            + company
            + "}}, {\"relation\": \"WorksAt\", \"left\": \"Worker\", \"right\": \"Company\","
            + " \"fields\": {\"since\": \"long\""
            + works
            + "}}]");
  }

  @Test
  void aTraversalTellsTheVersionsOfAllTypesOnTheWay() {
    try (Session session = ledger.session(workers("", ""))) {
      for (String id : List.of("a", "b")) {
        session.ensure(TypeId.entity("Worker"), CanonicalJson.object().put("id", id));
        session.ensure(
            TypeId.relation("WorksAt"),
            new Identity.RelationKey(id, "c", ""),
            CanonicalJson.object().put("since", 1));
      }
      session.ensure(TypeId.entity("Company"), CanonicalJson.object().put("id", "c"));
      session.commit();
    }
    migrate(workers(", \"role\": \"string?\"", ", \"city\": \"string?\""), rules());
    Function<Queries, QueryBuilder<ObjectNode>> atFirst =
        queries -> queries.rows(TypeId.entity("Worker")).asOf(1);

    assertThat(text(queries -> atFirst.apply(queries).versions().toString())).isEqualTo("[]");
    assertThat(text(queries -> atFirst.apply(queries).via("WorksAt").versions().toString()))
        .isEqualTo(
            "[relation:WorksAt: 2 rows of version 1 shown in version 2,"
                + " entity:Company: 1 row of version 1 shown in version 2]");
    assertThat(
            text(
                queries ->
                    atFirst.apply(queries).via("WorksAt").via("WorksAt").versions().toString()))
        .as("there and back")
        .isEqualTo(
            "[relation:WorksAt: 2 rows of version 1 shown in version 2,"
                + " entity:Company: 1 row of version 1 shown in version 2]");
    assertThat(
            text(
                queries ->
                    queries
                        .rows(TypeId.entity("Worker"))
                        .via("WorksAt")
                        .via("Unknown")
                        .versions()
                        .toString()))
        .isEqualTo("[]");
  }

  @Test
  void textWithDigitsBelowTheMicrosecondIsNoInstant() {
    write(
        people("\"at\": \"string\""),
        "{\"id\":\"a\",\"at\":\"2026-01-02T03:04:05.678901Z\"}",
        "{\"id\":\"b\",\"at\":\"2026-01-02T03:04:05.6789012Z\"}");
    migrate(
        people("\"at\": \"instant?\""),
        new FieldRules(
            List.of(), List.of(), List.of(new Assign(PERSON, "at", LedgerFixture.parse("null")))));

    assertThat(rows(query -> query.asOf(1)))
        .containsExactly(
            "1 {\"at\":\"2026-01-02T03:04:05.678901+00:00\",\"id\":\"a\"}",
            "1 {\"at\":null,\"id\":\"b\"}");
    assertThat(rows(query -> query.asOf(1).where(Fields.field("at").isNull()))).hasSize(1);
    assertThat(text(queries -> queries.rows(PERSON).asOf(1).max("at").toString()))
        .isEqualTo("\"2026-01-02T03:04:05.678901+00:00\"");
    assertThat(mixes(query -> query.asOf(1)))
        .isEqualTo(
            "[entity:Person: 2 rows of version 1 shown in version 2 (at converted, null where a value"
                + " doesn't fit)]");
  }

  private List<String> told(SqlQuery query) {
    List<String> told = new ArrayList<>();
    SqlQuery telling = query.onVersionMix(mixes -> mixes.forEach(mix -> told.add(mix.toString())));
    try (SqlResult answer = telling.execute()) {
      assertThat(answer.next().orElseThrow()).extracting(JsonNode::asText).containsExactly("1");
    }
    return told;
  }

  @Test
  void tellingOfVersionsTakesNoneOfTheStatementsTime() {
    write(people("\"name\": \"string\""), "{\"id\":\"a\",\"name\":\"A\"}");
    migrate(people("\"label\": \"string\""), rules(new Rename(PERSON, "name", "label")));
    Duration time = Duration.ofSeconds(2);
    SqlQuery query =
        readers
            .get(1)
            .query()
            .sql("SELECT count(*) FROM Person")
            .asOf(1)
            .within(SqlLimits.standard().withTime(time))
            .onVersionMix(
                mixes -> {
                  long begun = System.nanoTime();
                  while (System.nanoTime() - begun < time.toNanos()) {
                    Thread.onSpinWait();
                  }
                });
    try (SqlResult answer = query.execute()) {
      assertThat(answer.next().orElseThrow()).extracting(JsonNode::asText).containsExactly("1");
    }
  }

  @Test
  void aStatementIsAnsweredAlsoWhereItsVersionsCantBeCounted() {
    write(people("\"name\": \"string\""), "{\"id\":\"a\",\"name\":\"A\"}");
    migrate(people("\"label\": \"string\""), rules(new Rename(PERSON, "name", "label")));
    SqlQuery query = readers.get(1).query().sql("SELECT count(*) FROM Person").asOf(1);
    assertThat(told(query)).hasSize(1);
    Ledger poor =
        fixture.open(
            LedgerFixture.options()
                .withQueries(LedgerFixture.QUERIES.withCache(cache).withMemoryLimit("1KB")));
    assertThat(told(poor.query().sql("SELECT count(*) FROM Person").asOf(1))).isEmpty();
  }

  @Test
  void compactedRowsOfSeveralVersionsAreShownAlike() {
    List<TypeSchema> first = people("\"name\": \"string\"");
    write(first, "{\"id\":\"a\",\"name\":\"A\"}");
    write(first, "{\"id\":\"b\",\"name\":\"B\"}");
    migrate(people("\"label\": \"string\""), rules(new Rename(PERSON, "name", "label")));
    List<String> before = rows(QueryBuilder::history);
    ledger.flush();

    ledger
        .compaction()
        .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());

    assertThat(rows(QueryBuilder::history)).isEqualTo(before);
    assertThat(rows(query -> query.asOf(2)))
        .containsExactly("1 {\"id\":\"a\",\"label\":\"A\"}", "2 {\"id\":\"b\",\"label\":\"B\"}");
  }

  private void compact() {
    ledger.flush();
    ledger
        .compaction()
        .run(ledger.compaction().plan(CompactionScope.ALL), CompactionListener.none());
  }

  /** The copies in a cache that were written with rows of other versions projected. */
  private static List<Path> projected(Path cache) throws IOException {
    try (Stream<Path> files = Files.list(cache.resolve("files"))) {
      return files.filter(file -> file.getFileName().toString().contains("-")).toList();
    }
  }

  @Test
  void onlyQuestionsThatNeedItProjectASnapshotOfSeveralVersions() throws Exception {
    List<TypeSchema> first = people("\"name\": \"string\"");
    List<TypeSchema> second = people("\"label\": \"string\"");
    write(first, "{\"id\":\"a\",\"name\":\"A\"}");
    write(first, "{\"id\":\"b\",\"name\":\"B\"}");
    migrate(second, rules(new Rename(PERSON, "name", "label")));
    compact();
    Path own = cache.resolve("own");
    Queries files =
        fixture
            .open(LedgerFixture.options().withQueries(LedgerFixture.QUERIES.withCache(own)))
            .query();
    for (int commit = 4; commit <= 12; commit++) {
      write(second, "{\"id\":\"c" + commit + "\",\"label\":\"C\"}");
      compact();

      assertThat(files.rows(PERSON).count()).isEqualTo(commit - 1);
      assertThat(files.rows(PERSON).asOf(3).orderBy("label").list())
          .extracting(resultRow -> resultRow.value().path("label").asText())
          .containsExactly("A", "B");
    }
    assertThat(projected(own)).as("states since the migration").isEmpty();

    assertThat(files.rows(PERSON).asOf(2).list())
        .extracting(resultRow -> resultRow.value().path("label").asText())
        .containsExactly("A", "B");
    assertThat(projected(own)).as("a state from before it").hasSize(1);
    assertThat(files.rows(PERSON).inSchemaOf(1).list())
        .extracting(resultRow -> resultRow.value().has("name"))
        .hasSize(11)
        .containsOnly(true);
    assertThat(projected(own)).as("a state since it, in another schema").hasSizeGreaterThan(1);
    assertThat(files.rows(PERSON).asOf(3).inSchemaOf(1).first().orElseThrow().value().toString())
        .contains("name");
  }

  @Test
  void projectedCopiesCountForTheLimitOfTheCache() throws Exception {
    write(people("\"name\": \"string\""), "{\"id\":\"a\",\"name\":\"A\"}");
    migrate(people("\"label\": \"string\""), rules(new Rename(PERSON, "name", "label")));
    compact();
    Path own = cache.resolve("own");
    QuerySettings small = LedgerFixture.QUERIES.withCache(own).withCacheBytes(1_000);
    Queries files = fixture.open(LedgerFixture.options().withQueries(small)).query();
    assertThat(files.rows(PERSON).count()).isEqualTo(1);
    Path unused = Files.write(own.resolve("files").resolve("unused.parquet"), new byte[2_000]);
    FileTime longAgo = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    Files.getFileAttributeView(unused, BasicFileAttributeView.class)
        .setTimes(longAgo, longAgo, null);

    assertThat(files.rows(PERSON).count()).isEqualTo(1);
    assertThat(unused).as("nothing was added").exists();
    assertThat(files.rows(PERSON).asOf(1).count()).isEqualTo(1);

    assertThat(projected(own)).hasSize(1);
    assertThat(unused).doesNotExist();
  }

  @Test
  void aTypeThatWasDroppedAndDeclaredAnewIsAnother() {
    write(people("\"name\": \"string\""), "{\"id\":\"a\",\"name\":\"A\"}");
    ledger
        .schemas()
        .drop(
            new DropRequest(
                PERSON, Set.of(), DropRequest.Dependents.CASCADE, DropPlan.History.PURGE),
            Approval.Force.FORCE,
            Map.of());
    write(
        people("\"name\": \"string\", \"age\": \"long?\""),
        "{\"id\":\"b\",\"name\":\"B\",\"age\":1}");

    assertThat(rows(query -> query.asOf(1))).isEmpty();
    assertThat(rows(QueryBuilder::history)).hasSize(1);
    assertThatThrownBy(() -> readers.get(0).query().rows(PERSON).inSchemaOf(1).list())
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("dropped");
  }

  @Test
  void aTypeHasItsFirstSchemaFromItsDropToItsFirstRowsAnew() throws Exception {
    write(people("\"name\": \"string\""), "{\"id\":\"a\",\"name\":\"A\"}");
    ledger
        .schemas()
        .drop(
            new DropRequest(
                PERSON, Set.of(), DropRequest.Dependents.CASCADE, DropPlan.History.PURGE),
            Approval.Force.FORCE,
            Map.of());
    List<TypeSchema> other =
        DeclaredSchema.parse(
            "[{\"entity\": \"Other\", \"key\": \"id\", \"fields\": {\"id\": \"string\"}}]");
    try (Session session = ledger.session(other)) {
      session.ensure(TypeId.entity("Other"), CanonicalJson.object().put("id", "o"));
      session.commit();
    }
    write(people("\"title\": \"string\""), "{\"id\":\"b\",\"title\":\"B\"}");
    migrate(people("\"label\": \"string\""), rules(new Rename(PERSON, "title", "label")));

    for (long between : List.of(2L, 3L)) {
      assertThat(rows(query -> query.inSchemaOf(between)))
          .containsExactly("5 {\"id\":\"b\",\"title\":\"B\"}");
      assertThat(rows(query -> query.asOf(between).inSchemaOfThen())).isEmpty();
      try (SqlResult answer =
          readers.get(1).query().sql("SHOW TABLES").inSchemaOf(between).execute()) {
        assertThat(answer.next()).isPresent();
      }
      List<String> lines = new ArrayList<>();
      new LedgerExport(
              ledger,
              LedgerExportOptions.standard()
                  .withSchema(new LedgerExportOptions.Schema.AtCommit(between)))
          .lines(lines::add);
      assertThat(lines).hasSize(2).anyMatch(line -> line.contains("\"title\":\"B\""));
    }
    assertThatThrownBy(() -> readers.get(0).query().rows(PERSON).inSchemaOf(1).list())
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("dropped");
  }

  @Test
  void aTypeThatWasDeclaredAnewWithoutRowsHasItsFirstSchemaSinceTheDrop() {
    for (int round = 0; round < 2; round++) {
      write(people("\"name\": \"string\""), "{\"id\":\"a\",\"name\":\"A\"}");
      ledger
          .schemas()
          .drop(
              new DropRequest(
                  PERSON, Set.of(), DropRequest.Dependents.CASCADE, DropPlan.History.PURGE),
              Approval.Force.FORCE,
              Map.of());
    }
    try (Session session = ledger.session(people("\"title\": \"string\""))) {
      session.ensure(
          KNOWS, new Identity.RelationKey("a", "b", ""), CanonicalJson.object().put("since", 1));
      session.commit();
    }

    assertThat(rows(query -> query.inSchemaOf(4))).isEmpty();
    assertThat(
            text(
                queries ->
                    queries
                        .rows(PERSON)
                        .inSchemaOf(4)
                        .schema()
                        .orElseThrow()
                        .payload()
                        .keySet()
                        .toString()))
        .isEqualTo("[id, title]");
    for (long before : List.of(1L, 2L, 3L)) {
      assertThatThrownBy(() -> readers.get(0).query().rows(PERSON).inSchemaOf(before).list())
          .as("before the last drop, at " + before)
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("dropped");
    }
  }
}
