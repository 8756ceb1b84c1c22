// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.parquet.DuckDb;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.QuerySettings;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.ResultRow;
import io.tidemark.ledger.query.SqlQuery;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.SortKey.Direction;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers of more rows than a row group of DuckDB has, which several threads sort and hand out: by
 * the files, by a replica and by Java, all of them alike.
 */
@TestInstance(Lifecycle.PER_CLASS)
class LargeAnswersTest {

  /** A row group of DuckDB has 122,880 rows. */
  private static final int ROWS = 130_000;

  private static final int CHANGED = 5_000;
  private static final TypeId TYPE = TypeId.entity("E");

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private Ledger files;
  private Ledger replica;
  private Ledger scan;

  @BeforeAll
  void write(@TempDir Path cache) {
    QuerySettings queries = LedgerFixture.QUERIES.withCache(cache);
    fixture.initialiser().init();
    files = open(queries);
    replica = open(queries.withReplica(Replication.KEPT));
    scan = open(queries.withEngine(Engine.SCAN));
    try (Session session =
        files.session(
            DeclaredSchema.parse(
                "{\"entity\": \"E\", \"key\": \"id\", \"fields\": {\"id\": \"string\", \"n\":"
                    + " \"long\", \"part\": \"long\", \"any\": \"any\"}}"))) {
      for (int i = 0; i < ROWS; i++) {
        session.ensure(TYPE, row(i, (i * 7919L) % ROWS));
      }
      session.commit();
      for (int i = 0; i < CHANGED; i++) {
        session.ensure(TYPE, row(i * 7, ROWS + i));
      }
      session.commit();
    }
  }

  private Ledger open(QuerySettings queries) {
    return fixture.open(LedgerFixture.options().withMaxBatchSize(ROWS).withQueries(queries));
  }

  private static ObjectNode row(int i, long n) {
    return CanonicalJson.object()
        .put("id", String.format("k%06d", i))
        .put("n", n)
        .put("part", n % 10)
        .put("any", n % 1000);
  }

  @AfterAll
  void close() {
    fixture.close();
  }

  private record Version(long commit, String key) {
    static Version of(ResultRow<ObjectNode> resultRow) {
      return new Version(resultRow.meta().commitId(), resultRow.meta().identity().toString());
    }
  }

  private static List<Version> listed(QueryBuilder<ObjectNode> query) {
    return query.list().stream().map(Version::of).toList();
  }

  private static List<Version> streamed(QueryBuilder<ObjectNode> query) {
    try (Stream<ResultRow<ObjectNode>> hits = query.stream()) {
      return hits.map(Version::of).toList();
    }
  }

  private void allAnswerAlike(
      int rows, Function<QueryBuilder<ObjectNode>, QueryBuilder<ObjectNode>> asked) {
    List<Version> expected = listed(asked.apply(scan.query().rows(TYPE)));
    assertThat(expected).hasSize(rows);
    assertSame(listed(asked.apply(files.query().rows(TYPE))), expected);
    assertSame(streamed(asked.apply(replica.query().rows(TYPE))), expected);
  }

  /** A failure names the first difference, and not 130,000 rows. */
  private static void assertSame(List<Version> found, List<Version> expected) {
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(found.get(i)).as("row " + i).isEqualTo(expected.get(i));
    }
  }

  @Test
  void aStateIsInTheOrderThatWasAskedFor() {
    allAnswerAlike(ROWS, query -> query.orderBy("n"));
    allAnswerAlike(ROWS, query -> query.orderBy("part", Direction.DESCENDING).orderBy("n"));
    allAnswerAlike(ROWS, query -> query.orderBy("any").asOf(1));
  }

  @Test
  void sqlAnswersAndFilesAreInTheOrderThatWasAskedFor(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("ordered.parquet");
    for (Ledger ledger : List.of(files, replica)) {
      SqlQuery ordered = ledger.query().sql("SELECT n FROM E ORDER BY n").asOf(1);
      List<Long> values = new ArrayList<>();
      try (SqlResult answer = ordered.execute()) {
        for (var row = answer.next(); row.isPresent(); row = answer.next()) {
          values.add(row.get().get(0).asLong());
        }
      }
      assertThat(values).isEqualTo(LongStream.range(0, ROWS).boxed().toList());
      assertThat(ordered.write(file)).isEqualTo(ROWS);
      try (DuckDb other = new DuckDb()) {
        assertThat(
                other.rows(
                    "SELECT count(*), count(*) FILTER (n <> file_row_number) FROM read_parquet('"
                        + file
                        + "', file_row_number = true)"))
            .containsExactly(ROWS + "|0");
      }
    }
  }

  @Test
  void valuesComeInTheirOrder() {
    try (Stream<ResultRow<ObjectNode>> hits =
        files.query().rows(TYPE).asOf(1).orderBy("n").stream()) {
      List<Long> values = new ArrayList<>();
      hits.forEach(resultRow -> values.add(resultRow.value().path("n").asLong()));
      assertThat(values).isEqualTo(LongStream.range(0, ROWS).boxed().toList());
    }
  }

  @Test
  void withoutAnOrderRowsComeByKeyAndVersionsByCommit() {
    allAnswerAlike(ROWS, query -> query);
    allAnswerAlike(ROWS + CHANGED, QueryBuilder::history);
  }

  @Test
  void groupsComeInTheOrderOfTheirKeys() {
    Function<Queries, Object> asked =
        queries -> queries.rows(TYPE).groupBy("n").agg(Map.of("rows", Aggregate.count()));

    Object expected = asked.apply(scan.query());
    assertThat(asked.apply(files.query()).equals(expected)).as("on files").isTrue();
    assertThat(asked.apply(replica.query()).equals(expected)).as("on a replica").isTrue();
  }
}
