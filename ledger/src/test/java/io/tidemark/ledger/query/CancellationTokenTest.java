// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import static io.tidemark.ledger.query.model.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.sql.SqlResult;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.QueryCancelledException;
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
final class CancellationTokenTest {

  private static final String ENDLESS =
      "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range % 7 = b.range % 5";

  @TempDir private Path cache;
  private ObjectStore store;
  private Ledger ledger;

  @BeforeEach
  void open() {
    store = ObjectStore.open("memory:");
    new LedgerInitializer(store, "").init();
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

  private static QueryCancelledException why() {
    return new QueryCancelledException("who asked has gone");
  }

  @Test
  void aStatementThatWouldNotEndIsEnded() throws Exception {
    CancellationToken cancellationToken = new CancellationToken();
    CompletableFuture<Object> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try (SqlResult rows =
                  ledger.query().sql(ENDLESS).cancelledBy(cancellationToken).execute()) {
                return rows.next();
              }
            });
    // Said again and again, since a statement can only be cancelled once it has begun.
    while (!answer.isDone()) {
      cancellationToken.cancel(why());
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> answer.get(1, TimeUnit.MINUTES))
        .hasCauseInstanceOf(QueryCancelledException.class);
  }

  @Test
  void rowsEndInTheMiddle() {
    CancellationToken cancellationToken = new CancellationToken();
    try (Stream<ResultRow<ObjectNode>> rows =
        ledger.query().entities("N").cancelledBy(cancellationToken).stream()) {
      assertThatThrownBy(() -> rows.forEach(row -> cancellationToken.cancel(why())))
          .isInstanceOf(QueryCancelledException.class);
    }
  }

  /** Ends the question that it is an answer to. */
  @Entity
  record N(@Key String id, long n) {
    private static final CancellationToken STOP = new CancellationToken();

    N {
      STOP.cancel(why());
    }
  }

  @Test
  void relationsAreNotFollowedAnyMore() {
    Traversal<N> paths =
        ledger.query().entities(N.class).where(field("n").eq(7)).cancelledBy(N.STOP).via("R");
    assertThatThrownBy(paths::list).isInstanceOf(QueryCancelledException.class);
  }

  @Test
  void whatIsEndedBeforeItBeginsIsNotAsked() {
    CancellationToken cancellationToken = new CancellationToken();
    cancellationToken.cancel(why());
    QueryBuilder<ObjectNode> query = ledger.query().entities("N").cancelledBy(cancellationToken);
    assertThatThrownBy(query::list).isInstanceOf(QueryCancelledException.class);
    assertThatThrownBy(query::count).isInstanceOf(QueryCancelledException.class);
    assertThatThrownBy(
            () -> ledger.query().sql("SELECT 1").cancelledBy(cancellationToken).execute())
        .isInstanceOf(QueryCancelledException.class);
    assertThat(ledger.query().entities("N").count()).isEqualTo(50);
  }

  @Test
  void aStatementIsExplainedWithoutBeingAnswered() {
    assertThat(ledger.query().sql("SELECT n FROM N WHERE id = 'k1'").explain())
        .contains("READ_PARQUET");
  }
}
