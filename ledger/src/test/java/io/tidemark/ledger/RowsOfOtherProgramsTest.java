// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.query.model.Fields.left;
import static io.tidemark.ledger.query.model.Fields.meta;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.Models.Product;
import io.tidemark.ledger.Models.Subscription;
import io.tidemark.ledger.internal.parquet.DuckDb;
import io.tidemark.ledger.query.QuerySettings.Engine;
import io.tidemark.ledger.query.QuerySettings.Replication;
import io.tidemark.ledger.query.ResultPage;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.objects.MemoryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files in which other programs have the same rows in other words: no key of an instance instead of
 * the empty one, numbers of four bytes, text that isn't said to be text. Spec 1.7 has readers rely
 * on the names of the system's columns only.
 */
class RowsOfOtherProgramsTest {

  private static final String OTHERWISE =
      "SELECT * REPLACE (CAST(NULL AS VARCHAR) AS instance_key, CAST(commit_id AS INTEGER) AS"
          + " commit_id, CAST(schema_version_id AS INTEGER) AS schema_version_id) FROM file";
  private static final String BYTES =
      "SELECT * REPLACE (encode(left_key) AS left_key, encode(right_key) AS right_key,"
          + " encode(instance_key) AS instance_key, encode(fields_json) AS fields_json) FROM file";

  @TempDir private Path directory;

  private final LedgerFixture fixture = new LedgerFixture(new MemoryBackend());

  @AfterEach
  void close() {
    fixture.close();
  }

  static Stream<Arguments> ways() {
    return Stream.of(Replication.NONE, Replication.KEPT)
        .flatMap(
            replica ->
                Stream.of(
                    Arguments.of(replica, OTHERWISE, Set.of(1L, 2L, 3L, 4L)),
                    Arguments.of(replica, OTHERWISE, Set.of(1L, 3L)),
                    Arguments.of(replica, OTHERWISE, Set.of(2L, 4L)),
                    Arguments.of(replica, BYTES, Set.of(2L, 3L))));
  }

  /** Four commits with versions of three subscriptions. */
  private void fourCommits() {
    Ledger ledger = fixture.init();
    try (Session session = ledger.session(Models.all())) {
      session
          .ensure(
              List.of(
                  Customer.of("c1", 10),
                  Customer.of("c2", 20),
                  Product.of("p1"),
                  Subscription.of("c1", "p1", 1),
                  Subscription.of("c2", "p1", 1),
                  Subscription.of("c1", "p2", 1)))
          .commit();
      session.ensure(Subscription.of("c1", "p1", 2)).commit();
      session
          .ensure(List.of(Subscription.of("c1", "p1", 3), Subscription.of("c2", "p1", 3)))
          .commit();
      session.ensure(Subscription.of("c1", "p2", 4)).commit();
    }
    ledger.close();
  }

  /** Writes the subscriptions of commits anew, by a query over the {@code file} they were in. */
  private void rewrite(String query, Set<Long> commits) throws IOException, SQLException {
    for (String manifest : fixture.paths("commits/")) {
      if (!manifest.endsWith("manifest.json")
          || !commits.contains(fixture.json(manifest).path("commit_id").asLong())) {
        continue;
      }
      for (JsonNode file : fixture.json(manifest).path("files")) {
        String path = file.path("path").asText();
        if (path.endsWith("Subscription.parquet")) {
          byte[] bytes = rewritten(query, fixture.bytes(path));
          fixture.write(path, bytes);
          fixture.edit(manifest, json -> setHash(json, path, LedgerFixture.sha256(bytes)));
        }
      }
    }
    fixture.delete("meta/indices/relations/Subscription.json"); // it has the hashes from before
  }

  private byte[] rewritten(String query, byte[] bytes) throws IOException, SQLException {
    Path before = Files.write(directory.resolve("before.parquet"), bytes);
    Path after = directory.resolve("after.parquet");
    try (DuckDb duckDb = new DuckDb()) {
      String rows = query.replace("file", "read_parquet('" + before + "')");
      duckDb.run("COPY (" + rows + ") TO '" + after + "' (FORMAT PARQUET)");
    }
    return Files.readAllBytes(after);
  }

  private static void setHash(ObjectNode manifest, String path, String hash) {
    for (JsonNode file : manifest.path("files")) {
      if (file.path("path").asText().equals(path)) {
        ((ObjectNode) file).put("content_sha256", hash);
      }
    }
  }

  private CrossCheckedQueries asked(Replication replica) {
    var queries = LedgerFixture.QUERIES.withCache(directory.resolve("cache"));
    LedgerOptions options = LedgerFixture.options();
    return new CrossCheckedQueries(
        fixture.open(options.withQueries(queries.withReplica(replica))).query(),
        fixture.open(options.withQueries(queries.withEngine(Engine.SCAN))).query());
  }

  @ParameterizedTest
  @MethodSource("ways")
  void areTheSameAtEveryTime(Replication replica, String words, Set<Long> commits)
      throws IOException, SQLException {
    fourCommits();
    rewrite(words, commits);
    CrossCheckedQueries crossCheckedQueries = asked(replica);

    assertThat(crossCheckedQueries.versions(q -> q.relations(Subscription.class)))
        .isEqualTo("3:(c1, p1) 4:(c1, p2) 3:(c2, p1)");
    assertThat(crossCheckedQueries.versions(q -> q.relations(Subscription.class).asOf(1)))
        .isEqualTo("1:(c1, p1) 1:(c1, p2) 1:(c2, p1)");
    assertThat(crossCheckedQueries.versions(q -> q.relations(Subscription.class).asOf(2)))
        .isEqualTo("2:(c1, p1) 1:(c1, p2) 1:(c2, p1)");
    assertThat(crossCheckedQueries.versions(q -> q.relations(Subscription.class).asOf(3)))
        .isEqualTo("3:(c1, p1) 1:(c1, p2) 3:(c2, p1)");
    assertThat(crossCheckedQueries.versions(q -> q.relations(Subscription.class).since(2)))
        .isEqualTo("3:(c1, p1) 3:(c2, p1) 4:(c1, p2)");
    assertThat(crossCheckedQueries.versions(q -> q.relations(Subscription.class).history()))
        .isEqualTo("1:(c1, p1) 1:(c1, p2) 1:(c2, p1) 2:(c1, p1) 3:(c1, p1) 3:(c2, p1) 4:(c1, p2)");
    assertThat(crossCheckedQueries.versions(q -> q.relations(Subscription.class).history().asOf(2)))
        .isEqualTo("1:(c1, p1) 1:(c1, p2) 1:(c2, p1) 2:(c1, p1)");
    areFilteredOrderedAndCountedAlike(crossCheckedQueries);
  }

  private static String subscriptions(CrossCheckedQueries crossCheckedQueries, Filter filter) {
    return crossCheckedQueries.ids(queries -> queries.relations(Subscription.class).where(filter));
  }

  private static void areFilteredOrderedAndCountedAlike(CrossCheckedQueries crossCheckedQueries) {
    assertThat(subscriptions(crossCheckedQueries, meta(MetaField.INSTANCE).eq("")))
        .isEqualTo("(c1, p1) (c1, p2) (c2, p1)");
    assertThat(subscriptions(crossCheckedQueries, meta(MetaField.INSTANCE).isNull())).isEmpty();
    assertThat(subscriptions(crossCheckedQueries, meta(MetaField.COMMIT).gt(3)))
        .isEqualTo("(c1, p2)");
    assertThat(subscriptions(crossCheckedQueries, left("age").eq(20))).isEqualTo("(c2, p1)");
    assertThat(subscriptions(crossCheckedQueries, meta(MetaField.LEFT).eq("c2")))
        .isEqualTo("(c2, p1)");
    assertThat(crossCheckedQueries.number(q -> q.relations(Subscription.class).count()))
        .isEqualTo(3);
    assertThat(
            crossCheckedQueries.real(
                q -> q.relations(Subscription.class).sum("seat_count").asDouble()))
        .isEqualTo(10);
    assertThat(
            crossCheckedQueries.text(
                q -> {
                  ResultPage<Subscription> first = q.relations(Subscription.class).limit(1).page();
                  return q.relations(Subscription.class)
                      .after(first.next().orElseThrow())
                      .list()
                      .toString();
                }))
        .contains("c2")
        .doesNotContain("customer=c1, product=p1");
  }
}
