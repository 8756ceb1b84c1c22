// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.db.SchemaLocation;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureFilter;
import io.tidemark.features.query.FeatureOrder;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.write.Transaction;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pages of an answer are of one moment, whatever others write meanwhile; streams are bounded. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryPagesTest {

  private static final int FEATURES = 120;

  private PostgresServer server;
  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer shared) {
    server = shared;
    storage = TestStorage.in(server);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private static Feature feature(int id, RandomGenerator random) {
    String n =
        switch (random.nextInt(6)) {
          case 0 -> "\"t" + random.nextInt(3) + '"';
          case 1 -> "null";
          case 2 -> "true";
          default -> Integer.toString(random.nextInt(20));
        };
    return Feature.parse(
        ("{\"id\": \"f%d\", \"properties\": {\"n\": %s}, \"geometry\": {\"type\": \"Point\","
                + " \"coordinates\": [%d, %d]}}")
            .formatted(id, n, random.nextInt(10), random.nextInt(10)));
  }

  private String filled(CollectionOptions options, RandomGenerator random) {
    String collection = storage.create(options);
    storage.features.write(
        ALICE,
        collection,
        IntStream.range(0, FEATURES).mapToObj(i -> Write.create(feature(i, random))).toList());
    return collection;
  }

  private FeatureQueryPage page(FeatureQuery query) {
    return storage.features.read(r -> r.query(query));
  }

  private static List<String> uuids(FeatureQueryPage featurePage) {
    return featurePage.features().stream()
        .map(f -> f.xyz().flatMap(XyzNamespace::uuid).orElseThrow())
        .toList();
  }

  /** Creates, changes and deletes until it is told to stop, at least as often as said. */
  private void disturb(List<String> collections, long seed, AtomicBoolean stop, int least) {
    RandomGenerator random = new Seed(seed).random();
    for (int i = 0; i < least || !stop.get(); i++) {
      List<Write> writes = new ArrayList<>();
      for (int id : random.ints(3, 0, FEATURES * 3 / 2).distinct().toArray()) {
        writes.add(
            random.nextInt(3) == 0 ? Write.delete("f" + id) : Write.upsert(feature(id, random)));
      }
      storage.features.write(ALICE, collections.get(random.nextInt(collections.size())), writes);
    }
  }

  @Test
  void allPagesAreOfTheMomentOfTheFirstWhileOthersWrite() {
    Seed seed = Seed.of("allPagesAreOfTheMomentOfTheFirstWhileOthersWrite");
    RandomGenerator random = seed.random();
    List<String> two =
        List.of(
            filled(CollectionOptions.none().unpartitioned(), random),
            filled(CollectionOptions.none(), random));
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<Void>> writers =
        Stream.of(1, 2)
            .map(n -> seed.value() + n)
            .map(s -> CompletableFuture.runAsync(() -> disturb(two, s, stop, 10)))
            .toList();
    try {
      FeatureOrder byN = FeatureOrder.by(FeatureField.property("n"));
      for (FeatureOrder featureOrder :
          List.of(
              FeatureOrder.BY_ID,
              FeatureOrder.BY_ID.descending(),
              FeatureOrder.BY_ROW,
              FeatureOrder.BY_UPDATE.descending(),
              byN,
              byN.descending())) {
        samePages(FeatureQuery.from(two.get(0), two.get(1)).orderBy(featureOrder), random, seed);
        samePages(
            FeatureQuery.from(two.get(1))
                .in(Area.box(2, 2, 8, 8))
                .where(FeatureFilter.parse("p.n>3"))
                .orderBy(featureOrder),
            random,
            seed);
      }
    } finally {
      stop.set(true);
      writers.forEach(CompletableFuture::join);
    }
  }

  private void samePages(FeatureQuery.Builder asked, RandomGenerator random, Seed seed) {
    FeatureQuery all = asked.build();
    FeatureQuery some = asked.limit(20 + random.nextInt(60)).build();
    // Both of the same moment.
    List<FeatureQueryPage> first = storage.features.read(r -> List.of(r.query(all), r.query(some)));
    List<String> whole = uuids(first.get(0));
    FeatureQueryPage featurePage = first.get(1);
    List<String> paged = new ArrayList<>(uuids(featurePage));
    while (featurePage.next().isPresent()) {
      featurePage = page(some.after(featurePage.next().get()));
      paged.addAll(uuids(featurePage));
    }
    assertThat(paged).as("%s %s", seed, all.order()).isEqualTo(whole);
  }

  /** Its number is lower than that of the last transaction to be seen, and it ends later. */
  @Test
  void aTransactionThatEndsAfterTheFirstPageIsInNone() {
    String foo = storage.small();
    storage.features.write(
        ALICE,
        foo,
        Stream.of("a", "b", "c")
            .map(id -> Write.create(Feature.parse("{\"id\": \"" + id + "\"}")))
            .toList());
    FeatureQuery query = FeatureQuery.from(foo).limit(1).build();
    FeatureQueryPage first;
    try (Transaction open = storage.features.begin(ALICE)) {
      open.write(
          foo,
          List.of(
              Write.update(Feature.parse("{\"id\": \"b\", \"properties\": {\"new\": 1}}")),
              Write.delete("c"),
              Write.create(Feature.parse("{\"id\": \"bb\"}"))));
      storage.features.write(ALICE, foo, List.of(Write.create(Feature.parse("{\"id\": \"d\"}"))));
      first = page(query);
      open.commit();
    }

    List<Feature> rest = new ArrayList<>();
    for (FeatureQueryPage featurePage = first; featurePage.next().isPresent(); ) {
      featurePage = page(query.after(featurePage.next().get()));
      rest.addAll(featurePage.features());
    }

    assertThat(rest).extracting(f -> f.id().orElseThrow()).containsExactly("b", "c", "d");
    assertThat(rest.get(0).xyz().orElseThrow().version()).isEqualTo(1);
  }

  @Test
  void whoeverWritesSeesItInAllPages() {
    String foo = storage.small();
    storage.put(foo, "{\"id\": \"b\"}");
    FeatureQuery query = FeatureQuery.from(foo).limit(1).build();

    List<String> seen = new ArrayList<>();
    try (Transaction own = storage.features.begin(ALICE)) {
      own.write(
          foo,
          List.of(
              Write.create(Feature.parse("{\"id\": \"a\"}")),
              Write.create(Feature.parse("{\"id\": \"c\"}"))));
      FeatureQueryPage featurePage = own.reading().query(query);
      featurePage.features().forEach(f -> seen.add(f.id().orElseThrow()));
      while (featurePage.next().isPresent()) {
        featurePage = own.reading().query(query.after(featurePage.next().get()));
        featurePage.features().forEach(f -> seen.add(f.id().orElseThrow()));
      }
    }

    assertThat(seen).containsExactly("a", "b", "c");
  }

  @Test
  void withoutAHistoryWhatStaysIsSeenOnce() {
    RandomGenerator random = Seed.of("withoutAHistoryWhatStaysIsSeenOnce").random();
    String foo = filled(CollectionOptions.none().unpartitioned().withoutHistory(), random);
    FeatureQuery query = FeatureQuery.from(foo).limit(50).build();
    List<String> seen = new ArrayList<>();
    FeatureQueryPage featurePage = page(query);
    while (true) {
      featurePage.features().forEach(f -> seen.add(f.id().orElseThrow()));
      if (featurePage.next().isEmpty()) {
        break;
      }
      List<Write> writes =
          IntStream.range(0, FEATURES)
              .filter(i -> i % 2 == 1)
              .mapToObj(i -> i % 4 == 1 ? Write.delete("f" + i) : Write.upsert(feature(i, random)))
              .toList();
      storage.features.write(ALICE, foo, writes);
      featurePage = page(query.after(featurePage.next().get()));
    }

    assertThat(seen).doesNotHaveDuplicates().isSorted();
    assertThat(seen)
        .containsAll(
            IntStream.range(0, FEATURES).filter(i -> i % 4 != 1).mapToObj(i -> "f" + i).toList());
  }

  @Test
  void aHandleIsGoodForItsQueryAndItsStorageOnly() {
    String foo = filled(CollectionOptions.none().unpartitioned(), new Seed(1).random());
    FeatureQuery query = FeatureQuery.from(foo).limit(10).build();
    String handle = page(query).next().orElseThrow();

    assertThat(page(FeatureQuery.from(foo).limit(7).after(handle).build()).features()).hasSize(7);
    refused(FeatureQuery.from(foo).orderBy(FeatureOrder.BY_ROW).after(handle));
    refused(FeatureQuery.from(foo).where(FeatureFilter.parse("p.n=1")).after(handle));
    for (String wrong :
        List.of(
            "",
            "x",
            "*",
            handle + "A",
            handle.substring(1),
            handle.substring(0, 30) + (handle.charAt(30) == 'A' ? 'B' : 'A') + handle.substring(31),
            "A".repeat(200_000))) {
      refused(FeatureQuery.from(foo).after(wrong));
    }
    try (TestStorage other = TestStorage.in(server)) {
      other.features.transact(ALICE, tx -> tx.collections().create(foo, CollectionOptions.none()));
      assertThatThrownBy(() -> other.features.read(r -> r.query(query.after(handle))))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("another query or storage");
    }
  }

  private void refused(FeatureQuery.Builder query) {
    assertThatThrownBy(() -> page(query.build()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("begin anew");
  }

  @Test
  void d20D22StatesOfThePastAndOfDeletedFeatures() {
    String foo = storage.small();
    List<Txn> txns = new ArrayList<>();
    for (Write write :
        List.of(
            Write.create(Feature.parse("{\"id\": \"a\", \"properties\": {\"n\": 1}}")),
            Write.update(Feature.parse("{\"id\": \"a\", \"properties\": {\"n\": 2}}")),
            Write.delete("a"))) {
      txns.add(
          storage.features.transact(
              ALICE,
              tx -> {
                tx.write(foo, List.of(write));
                return tx.txn();
              }));
    }

    assertThat(versions(FeatureQuery.from(foo))).isEmpty();
    assertThat(versions(FeatureQuery.from(foo).withDeleted())).containsExactly(3L);
    assertThat(versions(FeatureQuery.from(foo).allVersions())).containsExactly(1L, 2L, 3L);
    assertThat(versions(FeatureQuery.from(foo).allVersions().where(FeatureFilter.parse("p.n=2"))))
        .containsExactly(2L, 3L);
    assertThat(versions(FeatureQuery.from(foo).at(txns.get(0)))).containsExactly(1L);
    assertThat(versions(FeatureQuery.from(foo).at(txns.get(1)))).containsExactly(2L);
    assertThat(versions(FeatureQuery.from(foo).at(txns.get(2)))).isEmpty();
    assertThat(versions(FeatureQuery.from(foo).at(Txn.of(LocalDate.of(2020, 1, 1), 0)))).isEmpty();
    FeatureQuery first = FeatureQuery.from(foo).allVersions().limit(1).build();
    FeatureQueryPage featurePage = page(first);
    List<String> uuids = new ArrayList<>(uuids(featurePage));
    for (Optional<String> next = featurePage.next(); next.isPresent(); next = featurePage.next()) {
      featurePage = page(first.after(next.get()));
      uuids.addAll(uuids(featurePage));
    }
    assertThat(uuids).hasSize(3).doesNotHaveDuplicates();
  }

  private List<Long> versions(FeatureQuery.Builder query) {
    return page(query.build()).features().stream()
        .map(f -> f.xyz().orElseThrow().version())
        .toList();
  }

  /** The server keeps the answer open and sends a part of it at a time. */
  @Test
  void aStreamHoldsOnlyAPartOfTheAnswer() throws SQLException {
    String foo = storage.small();
    storage.psql.as(
        "a",
        "b",
        "INSERT INTO %s (jsondata) SELECT jsonb_build_object('id', 'f' || n) FROM generate_series(1, 1000) n"
            .formatted(foo));
    try (Connection connection = DriverManager.getConnection(storage.url)) {
      connection.setAutoCommit(false);
      SqlSession sql = new SqlSession(connection, new SchemaLocation("public", "store"));
      List<String> open = new ArrayList<>();
      List<String> ids = new ArrayList<>();

      long rows =
          new ReadTransaction(sql)
              .each(
                  FeatureQuery.from(foo).orderBy(FeatureOrder.BY_ID).build(),
                  feature -> {
                    ids.add(feature.id().orElseThrow());
                    if (ids.size() == 700) {
                      open.addAll(
                          sql.queryTexts("SELECT statement FROM pg_cursors WHERE name <> ''"));
                    }
                  });

      assertThat(rows).isEqualTo(1000);
      assertThat(ids).hasSize(1000).isSorted().doesNotHaveDuplicates();
      assertThat(open).anyMatch(statement -> statement.contains('"' + foo + '"'));
    }
    assertThat(
            storage.features.<Long>read(
                r -> r.each(FeatureQuery.from(foo).limit(10).build(), f -> {})))
        .isEqualTo(10);
  }
}
