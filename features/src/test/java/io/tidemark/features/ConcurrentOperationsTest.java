// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.bulk.LoadOptions;
import io.tidemark.features.bulk.LoadOptions.Existing;
import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.FeaturesOptions;
import io.tidemark.features.log.LoggedTransaction;
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.maintain.MaintenanceOutcome;
import io.tidemark.features.maintain.MaintenanceStep;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.features.write.BatchResult;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * All that can be done to a collection, at once: batches, plain SQL, loads, a maintainer that
 * merges months, a sequencer, and readers of now, of the past and of pages.
 *
 * <p>Features come in pairs that every transaction writes alike, so whoever sees two that differ
 * has seen half of a transaction. A counter is only raised by who knows its state; so its end tells
 * whether a change was lost.
 */
@ExtendWith(ServerExtension.class)
class ConcurrentOperationsTest {

  private static final int PAIRS = 20;
  private static final int WRITERS = 3;
  private static final int ROUNDS = Boolean.getBoolean("soak") ? 500 : 20;
  private static final int MONTHS = 3;
  private static final String COUNTER = "counter";
  private static final MaintainOptions MERGING = MaintainOptions.defaults().mergingMonths();

  @TempDir private Path directory;

  private final Seed seed = Seed.of("ConcurrentOperationsTest");
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger raised = new AtomicInteger();
  private final AtomicInteger number = new AtomicInteger();
  private final CountDownLatch seen = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private String url = "";
  private Features features;

  @BeforeEach
  void open(PostgresServer server) throws SQLException {
    url = server.createDatabase();
    try (Psql psql = Psql.connect(url)) {
      String database = psql.value("SELECT current_database()");
      psql.run("ALTER DATABASE %s SET deadlock_timeout = '20ms'".formatted(database));
    }
    FeaturesOptions patient =
        FeaturesOptions.defaults().withLockTimeout(Duration.ofSeconds(30)).withConnections(20);
    features = Features.open(url, "store", patient);
    features.transact(ALICE, tx -> tx.collections().create("foo", CollectionOptions.none()));
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    features.close();
  }

  @Test
  void nobodySeesHalfOfATransactionAndNothingIsLost() throws Exception {
    RandomGenerator random = seed.random();
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int n = 0; n < 2; n++) {
      RandomGenerator own = new SplittableRandom(random.nextLong());
      readers.add(start(() -> reader(own)));
    }
    CompletableFuture<Void> maintainer = start(this::maintainer);
    seen.await();
    load(LoadOptions.standard(), COUNTER); // others read it meanwhile, and look after it

    List<CompletableFuture<Void>> work = new ArrayList<>(List.of(maintainer));
    for (int n = 0; n < WRITERS; n++) {
      RandomGenerator own = new SplittableRandom(random.nextLong());
      work.add(start(() -> writer(own)));
    }
    RandomGenerator own = new SplittableRandom(random.nextLong());
    work.add(start(() -> person(own)));
    work.add(start(() -> loader()));
    CompletableFuture.allOf(work.toArray(CompletableFuture[]::new))
        .whenComplete((done, failure) -> over.set(true))
        .join();
    readers.forEach(CompletableFuture::join);

    assertThat(features.checker().check("foo").flaws()).as(seed.toString()).isEmpty();
    Feature counter = features.read(r -> r.byId("foo", COUNTER)).orElseThrow();
    assertThat(n(counter)).as(seed.toString()).isEqualTo(raised.get()).isPositive();
    features.log().sequence();
    try (Psql psql = Psql.connect(url)) {
      assertThat(
              psql.number(
                  "SELECT count(DISTINCT txn) - max(seq_number) + count(*) FILTER"
                      + " (WHERE seq_number IS NULL) FROM naksha_tx"))
          .as("numbers have no holes, " + seed)
          .isZero();
    }
  }

  private CompletableFuture<Void> start(Callable<Boolean> work) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            work.call();
          } catch (Exception e) {
            throw new IllegalStateException(seed.toString(), e);
          }
        },
        threads);
  }

  private static int n(Feature feature) {
    return feature.data().path("properties").path("n").intValue();
  }

  private static Feature feature(String id, int n) {
    return Feature.parse("{\"id\": \"%s\", \"properties\": {\"n\": %d}}".formatted(id, n));
  }

  private static List<String> pair(int pair) {
    return List.of("a" + pair, "b" + pair);
  }

  private static List<String> all() {
    return IntStream.range(0, PAIRS).mapToObj(n -> pair(n)).flatMap(List::stream).toList();
  }

  /** Some pairs, each once. */
  private static List<Integer> some(RandomGenerator random) {
    return IntStream.range(0, PAIRS).filter(n -> random.nextInt(3) == 0).boxed().toList();
  }

  private boolean writer(RandomGenerator random) {
    for (int round = 0; round < ROUNDS; round++) {
      int n = number.incrementAndGet();
      switch (random.nextInt(4)) {
        case 0 -> raise();
        case 1 -> changeUnchanged(some(random), n);
        default -> {
          List<Write> writes = new ArrayList<>();
          // Many of a kind are done in other ways than few.
          boolean many = random.nextInt(4) == 0;
          int kind = random.nextInt(4);
          for (int pair : many ? IntStream.range(0, PAIRS).boxed().toList() : some(random)) {
            int what = many ? kind : random.nextInt(4);
            for (String id : pair(pair)) {
              writes.add(
                  switch (what) {
                    case 0 -> Write.delete(id);
                    case 1 -> Write.purge(id);
                    default -> Write.upsert(feature(id, n));
                  });
            }
          }
          assertThat(features.write(ALICE, "foo", writes).done()).isTrue();
        }
      }
    }
    return true;
  }

  private void raise() {
    Feature counter = features.read(r -> r.byId("foo", COUNTER)).orElseThrow();
    String uuid = counter.xyz().orElseThrow().uuid().orElseThrow();
    Write write = new Write.Update(feature(COUNTER, n(counter) + 1), uuid);
    if (features.write(ALICE, "foo", List.of(write)).done()) {
      raised.incrementAndGet();
    }
  }

  /** All of them or none: who meets a state that it doesn't know has done nothing. */
  private void changeUnchanged(List<Integer> pairs, int n) {
    List<String> ids = pairs.stream().flatMap(pair -> pair(pair).stream()).toList();
    List<Write> writes = new ArrayList<>();
    for (Feature there : features.read(r -> r.byIds("foo", ids))) {
      String uuid = there.xyz().orElseThrow().uuid().orElseThrow();
      writes.add(new Write.Update(feature(there.id().orElseThrow(), n), uuid));
    }
    BatchResult result = features.write(ALICE, "foo", writes);
    assertThat(result.rows())
        .allMatch(
            row ->
                row instanceof RowResult.Updated
                    || row instanceof RowResult.Conflict
                    || row instanceof RowResult.Missing);
  }

  /** Somebody with plain SQL. */
  private boolean person(RandomGenerator random) throws SQLException {
    try (Psql psql = Psql.connect(url)) {
      for (int round = 0; round < ROUNDS; round++) {
        int what = random.nextInt(4);
        String set = "UPDATE foo SET jsondata = jsonb_set(jsondata, '{properties,n}', %s) WHERE ";
        String ids =
            "jsondata->>'id' IN ('%s')".formatted(String.join("', '", pair(round % PAIRS)));
        String statement =
            switch (what) {
              case 0 ->
                  set.formatted("to_jsonb((jsondata#>>'{properties,n}')::int + 1)")
                      + "jsondata->>'id' = '"
                      + COUNTER
                      + "'";
              case 1 -> "DELETE FROM foo WHERE " + ids;
              case 2 ->
                  "INSERT INTO foo (jsondata) VALUES ('%s'), ('%s')"
                      .formatted(
                          feature(pair(round % PAIRS).get(0), round).data(),
                          feature(pair(round % PAIRS).get(1), round).data());
              default -> set.formatted("'" + number.incrementAndGet() + "'") + ids;
            };
        try {
          psql.as("psql", "bob", statement);
          raised.addAndGet(what == 0 ? 1 : 0);
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as(e.toString()).isIn("40P01", "23505");
        }
      }
    }
    return true;
  }

  private boolean loader() throws IOException {
    for (int round = 0; round < ROUNDS / 5; round++) {
      load(LoadOptions.standard().with(Existing.UPSERT));
    }
    return true;
  }

  /** Loads all pairs, and perhaps more. */
  private void load(LoadOptions options, String... more) throws IOException {
    int n = number.incrementAndGet();
    String lines =
        Stream.concat(
                all().stream().map(id -> feature(id, n)), Stream.of(more).map(id -> feature(id, 0)))
            .map(feature -> feature.data() + "\n")
            .collect(Collectors.joining());
    Path file = Files.writeString(directory.resolve(n + ".geojsonl"), lines);
    long loaded =
        features.bulk().load(ALICE, "foo", Input.of(file), options).run(progress -> {}).loaded();
    assertThat(loaded).isEqualTo(2L * PAIRS + more.length);
  }

  /** Months ago a feature was created and deleted, and its days become a month. */
  private boolean maintainer() throws SQLException {
    List<String> merged = new ArrayList<>();
    try (Psql psql = Psql.connect(url)) {
      for (int round = 0; round < MONTHS; round++) {
        LocalDate day =
            LocalDate.now(ZoneOffset.UTC).withDayOfMonth(5).minusMonths(3L + MONTHS - round);
        past(psql, "old" + round, day);
        MaintenanceOutcome.Done done = (MaintenanceOutcome.Done) features.maintain(MERGING);
        assertThat(done.failed()).isEmpty();
        merged.addAll(done.of("foo").orElseThrow().tables(MaintenanceStep.Kind.MERGED));
        features.log().sequence();
      }
    }
    assertThat(merged).isNotEmpty().doesNotHaveDuplicates();
    return true;
  }

  private static void past(Psql psql, String id, LocalDate day) throws SQLException {
    long created = Txn.of(day, 1).value();
    long deleted = Txn.of(day, 2).value();
    String guid =
        "store:foo:%d:%d:%d:".formatted(day.getYear(), day.getMonthValue(), day.getDayOfMonth());
    psql.run(
        "SELECT naksha_history_partition('foo', '%s')".formatted(day),
        ("WITH n AS (SELECT nextval('foo_i_seq') AS a, nextval('foo_i_seq') AS b) INSERT INTO"
                + " foo_hst (i, jsondata) SELECT s.i, jsonb_build_object('id', '%1$s',"
                + " 'properties', jsonb_build_object('@ns:com:here:xyz', s.xyz || jsonb_build_object("
                + "'uuid', '%2$s' || s.i, 'txn_next', %4$d))) FROM n, LATERAL (VALUES"
                + " (a, jsonb_build_object('action', 'CREATE', 'txn', %3$d, 'version', 1)),"
                + " (b, jsonb_build_object('action', 'DELETE', 'txn', %4$d, 'version', 2, 'puuid',"
                + " '%2$s' || a))) AS s(i, xyz)")
            .formatted(id, guid, created, deleted));
  }

  private boolean reader(RandomGenerator random) {
    while (!over.get()) {
      List<Feature> found =
          switch (random.nextInt(4)) {
            case 0 -> features.read(r -> r.byIds("foo", all()));
            case 1 -> pages(1 + random.nextInt(9));
            case 2 -> streamed();
            default -> past(random);
          };
      Map<String, Integer> numbers = new TreeMap<>();
      found.forEach(feature -> numbers.put(feature.id().orElseThrow(), n(feature)));
      for (int pair = 0; pair < PAIRS; pair++) {
        List<String> ids = pair(pair);
        assertThat(numbers.get(ids.get(0)))
            .as(ids + ", " + seed)
            .isEqualTo(numbers.get(ids.get(1)));
      }
      seen.countDown();
    }
    return true;
  }

  private List<Feature> streamed() {
    List<Feature> found = new ArrayList<>();
    FeatureQuery query = FeatureQuery.from("foo").build();
    long count = features.read(r -> r.each(query, found::add));
    assertThat(found).hasSize((int) count);
    return found;
  }

  private List<Feature> pages(int limit) {
    FeatureQuery query = FeatureQuery.from("foo").limit(limit).build();
    FeatureQueryPage featurePage = features.read(r -> r.query(query));
    List<Feature> found = new ArrayList<>(featurePage.features());
    while (featurePage.next().isPresent()) {
      FeatureQuery next = query.after(featurePage.next().get());
      featurePage = features.read(r -> r.query(next));
      found.addAll(featurePage.features());
    }
    return found;
  }

  private List<Feature> past(RandomGenerator random) {
    List<LoggedTransaction> last = features.log().last(30);
    Txn version = last.get(random.nextInt(last.size())).txn();
    return features.read(r -> r.byIdsAt("foo", all(), version));
  }
}
