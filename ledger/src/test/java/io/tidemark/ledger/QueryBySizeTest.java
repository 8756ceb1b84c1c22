// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryBuilder;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.model.SortKey.Direction;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries that Java answers while files are small, and DuckDB when they aren't. */
class QueryBySizeTest {

  private static final TypeId TYPE = TypeId.entity("Note");

  @TempDir private Path cache;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());
  private Ledger writer;
  private Queries bySize;

  @BeforeEach
  void open() {
    writer = fixture.init();
    bySize =
        fixture
            .open(
                LedgerFixture.options()
                    .withQueries(LedgerFixture.QUERIES.withCache(cache).withEngine(Engine.BY_SIZE)))
            .query();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void commit(int first, int rows) {
    try (Session session =
        writer.session(
            DeclaredSchema.parse(
                "{\"entity\": \"Note\", \"key\": \"id\", \"fields\": {\"id\": \"string\", \"n\":"
                    + " \"long\", \"text\": \"string\"}}"))) {
      for (int i = first; i < first + rows; i++) {
        // Text that doesn't get much smaller in a file.
        String text = Long.toHexString(i * 0x9E3779B97F4A7C15L);
        session.ensure(
            TYPE,
            CanonicalJson.object().put("id", "k" + i).put("n", i).put("text", text.repeat(2)));
      }
      session.commit();
    }
  }

  /** DuckDB reads copies of files, which are kept here. */
  private boolean duckDbWasAsked() {
    return cache.resolve("files").toFile().exists();
  }

  private static List<String> keys(Queries queries) {
    QueryBuilder<ObjectNode> query = queries.rows(TYPE).orderBy("n", Direction.DESCENDING);
    return query.list().stream().map(resultRow -> resultRow.meta().identity().toString()).toList();
  }

  private static List<String> down(int rows) {
    return IntStream.range(0, rows).mapToObj(i -> "k" + (rows - 1 - i)).toList();
  }

  @Test
  void smallFilesAreReadWithoutDuckDb() {
    for (int i = 0; i < 8; i++) {
      commit(i, 1);
    }
    assertThat(keys(bySize)).isEqualTo(down(8));
    assertThat(bySize.rows(TYPE).count()).isEqualTo(8);
    assertThat(bySize.rows(TYPE).asOf(2).count()).isEqualTo(2);
    assertThat(bySize.rows(TYPE).history().list()).hasSize(8);
    assertThat(duckDbWasAsked()).isFalse();
    assertThat(bySize.rows(TYPE).explain().engine()).startsWith("a scan, since");
  }

  @Test
  void manyFilesAreLeftToDuckDb() {
    for (int i = 0; i < 9; i++) {
      commit(i, 1);
    }
    assertThat(keys(bySize)).isEqualTo(down(9));
    assertThat(duckDbWasAsked()).isTrue();
    assertThat(bySize.rows(TYPE).explain().engine()).isEqualTo("duckdb on files");
  }

  @Test
  void aLargeFileIsLeftToDuckDb() {
    commit(0, 2_000);
    assertThat(keys(bySize)).isEqualTo(down(2_000));
    assertThat(duckDbWasAsked()).isTrue();
    assertThat(bySize.rows(TYPE).explain().engine()).isEqualTo("duckdb on files");
  }
}
