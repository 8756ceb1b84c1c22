// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import static io.tidemark.ledger.query.model.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInit;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.sql.SqlAnswer;
import io.tidemark.ledger.query.plan.Stop;
import io.tidemark.ledger.query.plan.StoppedQueryException;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.ObjectStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions that are ended by another thread. */
final class StopTest {

  private static final String ENDLESS =
      "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range % 7 = b.range % 5";

  @TempDir private Path cache;
  private ObjectStore store;
  private Ledger ledger;

  @BeforeEach
  void open() {
    store = ObjectStore.open("memory:");
    new LedgerInit(store, "").init();
    ledger =
        Ledger.open(
            store,
            "",
            LedgerOptions.standard().withQueries(QuerySettings.standard().withCache(cache)));
    List<TypeSchema> types =
        DeclaredSchema.parse(
            "[{\"entity\":\"N\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"n\":\"long\"}},"
                + "{\"relation\":\"R\",\"left\":\"N\",\"right\":\"N\",\"fields\":{}}]");
    try (Session session = ledger.session(types)) {
      for (int i = 0; i < 50; i++) {
        ObjectNode fields = io.tidemark.objects.internal.json.CanonicalJson.object();
        session.ensure(TypeId.entity("N"), fields.put("id", "k" + i).put("n", i));
      }
      assertThat(session.commit()).isPresent();
    }
  }

  @AfterEach
  void close() {
    ledger.close();
    store.close();
  }

  private static StoppedQueryException why() {
    return new StoppedQueryException("who asked has gone");
  }

  @Test
  void aStatementThatWouldNotEndIsEnded() throws Exception {
    Stop stop = new Stop();
    CompletableFuture<Object> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try (SqlAnswer rows = ledger.query().sql(ENDLESS).until(stop).answer()) {
                return rows.next();
              }
            });
    // Said again and again, since a statement can only be cancelled once it has begun.
    while (!answer.isDone()) {
      stop.now(why());
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> answer.get(1, TimeUnit.MINUTES))
        .hasCauseInstanceOf(StoppedQueryException.class);
  }

  @Test
  void rowsEndInTheMiddle() {
    Stop stop = new Stop();
    try (Stream<Hit<ObjectNode>> rows = ledger.query().entities("N").until(stop).stream()) {
      assertThatThrownBy(() -> rows.forEach(row -> stop.now(why())))
          .isInstanceOf(StoppedQueryException.class);
    }
  }

  /** Ends the question that it is an answer to. */
  @Entity
  record N(@Key String id, long n) {
    private static final Stop STOP = new Stop();

    N {
      STOP.now(why());
    }
  }

  @Test
  void relationsAreNotFollowedAnyMore() {
    Traversal<N> paths =
        ledger.query().entities(N.class).where(field("n").eq(7)).until(N.STOP).via("R");
    assertThatThrownBy(paths::list).isInstanceOf(StoppedQueryException.class);
  }

  @Test
  void whatIsEndedBeforeItBeginsIsNotAsked() {
    Stop stop = new Stop();
    stop.now(why());
    QueryBuilder<ObjectNode> query = ledger.query().entities("N").until(stop);
    assertThatThrownBy(query::list).isInstanceOf(StoppedQueryException.class);
    assertThatThrownBy(query::count).isInstanceOf(StoppedQueryException.class);
    assertThatThrownBy(() -> ledger.query().sql("SELECT 1").until(stop).answer())
        .isInstanceOf(StoppedQueryException.class);
    assertThat(ledger.query().entities("N").count()).isEqualTo(50);
  }

  @Test
  void aStatementIsExplainedWithoutBeingAnswered() {
    assertThat(ledger.query().sql("SELECT n FROM N WHERE id = 'k1'").explain())
        .contains("READ_PARQUET");
  }
}
