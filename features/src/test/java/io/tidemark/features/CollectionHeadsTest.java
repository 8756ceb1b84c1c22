// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.log.CollectionHeads;
import io.tidemark.features.log.Sequencer;
import io.tidemark.features.log.SequencerOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Txn;
import io.tidemark.features.write.Write;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Collections as ledgers in the nameservice: decision 10. */
@ExtendWith(ServerExtension.class)
class CollectionHeadsTest {

  private static final SequencerOptions QUICK =
      SequencerOptions.defaults().polling(Duration.ofMillis(50));

  private final TestStorage storage;

  CollectionHeadsTest(PostgresServer server) {
    storage = TestStorage.in(server);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for too long").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private Txn write(String collection, String id) {
    return storage.features.transact(
        ALICE,
        tx -> {
          Feature feature = Feature.parse("{\"type\": \"Feature\", \"id\": \"%s\"}".formatted(id));
          assertThat(tx.write(collection, List.of(Write.create(feature))).done()).isTrue();
          return tx.txn();
        });
  }

  private static Optional<Ref> head(NameService names, String collection) {
    return names
        .ledgers()
        .heads(CollectionHeads.address("store", collection))
        .map(heads -> heads.commit());
  }

  private static Ref ref(Txn txn, long number) {
    return Ref.of(
        "store:txn:%d:%d:%d:%d"
            .formatted(
                txn.day().getYear(),
                txn.day().getMonthValue(),
                txn.day().getDayOfMonth(),
                txn.sequence()),
        number);
  }

  @Test
  void eachCollectionIsALedgerWhoseHeadIsItsLastNumber(@TempDir Path directory) {
    assertThat(CollectionHeads.address("store", "um-mod-dev:topology"))
        .isEqualTo(Address.parse("store/um-mod-dev.topology:main"));
    storage.features.transact(
        ALICE, tx -> tx.collections().create("a:b", CollectionOptions.none().unpartitioned()));
    String foo = storage.small();
    try (NameService names = NameService.open(directory.toString());
        Sequencer unused = storage.features.log().startSequencer(QUICK.publishingTo(names))) {
      Txn third = write("a:b", "x");
      Txn fourth = write(foo, "x");
      Txn fifth = write(foo, "y");

      await(() -> head(names, foo).equals(Optional.of(ref(fifth, 5))));
      await(() -> head(names, "a:b").equals(Optional.of(ref(third, 3))));
      assertThat(fourth).isLessThan(fifth);
      assertThat(
              names
                  .find(CollectionHeads.address("store", "a:b"))
                  .orElseThrow()
                  .config()
                  .payload()
                  .orElseThrow()
                  .toJson())
          .matches(
              "\\{\"features\":\\{\"storage\":\"store\",\"collection\":\"a:b\",\"identity\":\"[-0-9a-f]{36}\"}}");
    }
  }

  @Test
  void aRecordThatIsALedgersIsLeftAlone() {
    try (NameService names = new NameService(new MemoryNameBackend());
        Sequencer sequencer = storage.features.log().startSequencer(QUICK.publishingTo(names))) {
      Ref commits = Ref.of("bafy", 1);
      names.ledgers().compareAndSetCommit(roads(), Optional.empty(), commits);
      names.create(paths());
      names.push(
          paths(),
          Concern.CONFIG,
          Optional.of(ConcernValue.UNBORN),
          ConcernValue.of(1, Payload.parse("{\"ledger\":{\"objects\":\"x/\"}}")));
      for (String collection : List.of("roads", "paths")) {
        create(storage, collection);
      }

      await(() -> sequencer.status().lagging().size() == 2);
      assertThat(sequencer.status().lagging().get("roads"))
          .contains("the record store/roads:main isn't this collection's: it says nothing")
          .contains("purge it if nobody needs it");
      assertThat(sequencer.status().lagging().get("paths")).contains("{\"ledger\"");
      assertThat(head(names, "roads")).contains(commits);
      assertThat(names.find(roads()).orElseThrow().config().isUnborn()).isTrue();
      assertThat(head(names, "paths")).contains(Ref.UNBORN);
    }
  }

  @Test
  void aRecordThatSaysNothingIsTaken() {
    try (NameService names = new NameService(new MemoryNameBackend());
        Sequencer unused = storage.features.log().startSequencer(QUICK.publishingTo(names))) {
      names.create(roads());
      // As somebody leaves it who is killed before he can say what it is.
      names
          .ledgers()
          .compareAndSetCommit(paths(), Optional.empty(), Ref.of("store:txn:1:1:1:0", 1));
      Txn first = create(storage, "roads");
      Txn second = create(storage, "paths");

      await(() -> head(names, "roads").equals(Optional.of(ref(first, 1))));
      await(() -> head(names, "paths").equals(Optional.of(ref(second, 2))));
      assertThat(names.find(paths()).orElseThrow().config().isUnborn()).isFalse();
    }
  }

  @Test
  void ofTwoStoragesWithOneIdTheSecondIsTold(PostgresServer server) {
    try (TestStorage other = TestStorage.in(server);
        NameService names = new NameService(new MemoryNameBackend())) {
      Txn mine = create(storage, "roads");
      Txn later = create(other, "roads");
      try (Sequencer unused = storage.features.log().startSequencer(QUICK.publishingTo(names))) {
        await(() -> head(names, "roads").equals(Optional.of(ref(mine, 1))));
      }
      try (Sequencer second = other.features.log().startSequencer(QUICK.publishingTo(names))) {
        await(() -> second.status().lagging().containsKey("roads"));
        assertThat(head(names, "roads")).contains(ref(mine, 1));

        names.purge(roads());
        await(() -> head(names, "roads").equals(Optional.of(ref(later, 1))));
        await(() -> second.status().lagging().isEmpty());
      }
    }
  }

  private static Address roads() {
    return CollectionHeads.address("store", "roads");
  }

  private static Address paths() {
    return CollectionHeads.address("store", "paths");
  }

  private static Txn create(TestStorage storage, String collection) {
    return storage.features.transact(
        ALICE,
        tx -> {
          tx.collections().create(collection, CollectionOptions.none().unpartitioned());
          return tx.txn();
        });
  }

  @Test
  void aNameserviceThatFailsStopsNoNumberAndIsCaughtUpWith() {
    AtomicBoolean broken = new AtomicBoolean(true);
    try (NameService names = new NameService(breakable(new MemoryNameBackend(), broken));
        Sequencer sequencer = storage.features.log().startSequencer(QUICK.publishingTo(names))) {
      String foo = storage.small();
      write(foo, "a");
      Txn last = write(foo, "b");

      await(() -> storage.features.log().lastNumber() == 3);
      await(() -> sequencer.status().lagging().containsKey(foo));
      assertThat(sequencer.status().lagging().get(foo)).isEqualTo("it is broken");
      broken.set(false);
      await(() -> head(names, foo).equals(Optional.of(ref(last, 3))));
      await(() -> sequencer.status().lagging().isEmpty());
    }
  }

  @Test
  void whatASequencerLeftTheNextOneRepairsAndNothingGoesBack() {
    NameBackend backend = new MemoryNameBackend();
    try (NameService names = new NameService(backend)) {
      String foo = storage.small();
      Txn first = write(foo, "a");
      assertThat(storage.features.log().sequence()).isEqualTo(2);
      assertThat(head(names, foo)).isEmpty();

      try (Sequencer one = storage.features.log().startSequencer(QUICK.publishingTo(names));
          Sequencer two = storage.features.log().startSequencer(QUICK.publishingTo(names))) {
        await(() -> head(names, foo).equals(Optional.of(ref(first, 2))));
        await(() -> one.status().leading() != two.status().leading());
        (one.status().leading() ? one : two).close();
        Txn second = write(foo, "b");
        await(() -> head(names, foo).equals(Optional.of(ref(second, 3))));
        // Somebody further on, as after a restored backup of the database: it stays.
        names.ledgers().publishCommit(CollectionHeads.address("store", foo), Ref.of("later", 100));
        write(foo, "c");
        await(() -> storage.features.log().lastNumber() == 4);
        await(() -> lagging(one, two).containsKey(foo));
        assertThat(lagging(one, two).get(foo))
            .contains("the head is at 100, ahead of the log, which ends at 4")
            .contains("purge the record");
      }
      assertThat(head(names, foo)).contains(Ref.of("later", 100));
    }
  }

  /** As the one says that leads. */
  private static Map<String, String> lagging(Sequencer one, Sequencer two) {
    return (one.status().leading() ? one : two).status().lagging();
  }

  private static NameBackend breakable(NameBackend backend, AtomicBoolean broken) {
    return (NameBackend)
        Proxy.newProxyInstance(
            NameBackend.class.getClassLoader(),
            new Class<?>[] {NameBackend.class},
            (proxy, method, arguments) -> {
              boolean used = List.of("find", "get", "create", "change").contains(method.getName());
              if (used && broken.get()) {
                throw new StoreUnavailableException("it is broken", null);
              }
              try {
                return method.invoke(backend, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
