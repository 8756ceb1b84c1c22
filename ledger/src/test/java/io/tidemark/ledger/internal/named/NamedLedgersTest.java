// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.AlreadyInitializedException;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.catalog.InvalidTokenException;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.RetractedException;
import io.tidemark.names.SourceType;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.RequestLatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedLedgersTest {

  private static final Address CRM = Address.parse("crm");
  private static final TypeSchema NOTE =
      new TypeSchema(
          TypeId.entity("Note"),
          new TreeMap<>(Map.of("id", Field.of(Scalar.STRING))),
          new KeyField("id"));

  @TempDir private Path directory;

  @Test
  void aLedgerIsBesideItsNameAndItsHeadFollowsTheCommits() {
    try (NameService names = NameService.open(directory.toString())) {
      NamedLedgers ledgers = new NamedLedgers(names);
      try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.claim(CRM, Optional.empty())) {
        ledgerLocation.init().init();
        assertThat(ledgerLocation.prefix()).isEqualTo("ledgers/crm/");
      }

      try (NamedLedgers.OpenLedger openLedger = ledgers.open(CRM, LedgerOptions.standard())) {
        commit(openLedger, "a");
        commit(openLedger, "b");
      }

      Ref head = names.ledgers().heads(CRM).orElseThrow().commit();
      assertThat(head.t()).isEqualTo(2);
      assertThat(head.id().orElseThrow()).startsWith("bagaaiera");
    }
    try (ObjectStore store = ObjectStore.open(directory.toString())) {
      assertThat(store.get("ledgers/crm/meta/head.json")).isPresent();
    }
  }

  @Test
  void aLedgerCanBeInAnotherStore() {
    Path other = directory.resolve("elsewhere");
    try (NameService names = new NameService(new MemoryNameBackend())) {
      NamedLedgers ledgers = new NamedLedgers(names);
      try (NamedLedgers.LedgerLocation ledgerLocation =
          ledgers.claim(CRM, Optional.of(other.toString()))) {
        ledgerLocation.init().init();
      }
      try (NamedLedgers.OpenLedger openLedger = ledgers.open(CRM, LedgerOptions.standard())) {
        commit(openLedger, "a");
      }
      assertThat(names.ledgers().heads(CRM).orElseThrow().commit().t()).isEqualTo(1);
    }
    try (ObjectStore store = ObjectStore.open(other.toString())) {
      assertThat(store.get("meta/head.json")).isPresent();
    }
  }

  @Test
  void aLedgerWhoseStoreIsGoneIsUnavailableAndNotToBeInitialised() throws IOException {
    Path other = directory.resolve("elsewhere");
    try (NameService names = new NameService(new MemoryNameBackend())) {
      NamedLedgers ledgers = new NamedLedgers(names);
      init(names, CRM, other.toString());
      try (NamedLedgers.OpenLedger openLedger = ledgers.open(CRM, LedgerOptions.standard())) {
        commit(openLedger, "a");
      }
      Files.move(other, directory.resolve("away"));
      Files.createDirectory(other);
      assertThatThrownBy(() -> ledgers.open(CRM, LedgerOptions.standard()))
          .isInstanceOf(StoreGoneException.class)
          .hasMessageContaining("mount or restore it");
      assertThat(other).isEmptyDirectory();
    }
  }

  @Test
  void a5_aSlashAtTheEndOfALocationMakesNoOtherPlace() {
    Path other = directory.resolve("elsewhere");
    try (NameService names = new NameService(new MemoryNameBackend())) {
      NamedLedgers ledgers = new NamedLedgers(names);
      try (NamedLedgers.LedgerLocation ledgerLocation =
          ledgers.claim(CRM, Optional.of(other + "/"))) {
        ledgerLocation.init().init();
      }
      try (NamedLedgers.LedgerLocation ledgerLocation =
          ledgers.claim(Address.parse("same"), Optional.of(other.toString()))) {
        assertThat(ledgerLocation.init().plan().alreadyInitialized()).isTrue();
      }
      assertThatThrownBy(() -> ledgers.claim(Address.parse("x"), Optional.of("gs://b")))
          .isInstanceOf(InvalidLocationException.class)
          .hasMessageContaining("gs");
      assertThat(names.find(Address.parse("x"))).isEmpty();
    }
  }

  private static void init(NameService names, Address address, String objects) {
    try (NamedLedgerInitializer init =
        new NamedLedgerInitializer(names, address, Optional.of(objects))) {
      init.init();
    }
  }

  @Test
  void aPlaceThatIsNoneForALedgerLeavesNoNameBehind() throws IOException {
    Path taken = directory.resolve("taken");
    Path file = Files.writeString(directory.resolve("file"), "no directory");
    try (NameService names = NameService.open(directory.resolve("names").toString())) {
      assertThatThrownBy(() -> init(names, CRM, file.toString()))
          .isInstanceOf(TidemarkException.class);
      assertThat(names.find(CRM)).isEmpty();

      Address other = Address.parse("other");
      init(names, other, taken.toString());
      assertThatThrownBy(() -> init(names, CRM, taken.toString()))
          .isInstanceOf(AlreadyInitializedException.class)
          .hasMessageContaining("there is a ledger in file://" + taken);
      assertThat(names.find(CRM)).isEmpty();
      assertThatThrownBy(
              () -> {
                try (NamedLedgerInitializer init =
                    new NamedLedgerInitializer(names, CRM, Optional.of(taken.toString()))) {
                  init.reinitialize("bad");
                }
              })
          .isInstanceOf(InvalidTokenException.class);
      assertThat(names.find(CRM)).isEmpty();
    }
    try (NameService names = new NameService(new MemoryNameBackend())) {
      assertThatThrownBy(() -> new NamedLedgerInitializer(names, CRM, Optional.empty()))
          .isInstanceOf(InvalidLocationException.class);
      assertThat(names.find(CRM)).isEmpty();
    }
  }

  @Test
  void aNameThatHasALedgerDoesntLetGoOfItForAnotherPlace() {
    Path first = directory.resolve("first");
    String second = directory.resolve("second").toString();
    try (NameService names = NameService.open(directory.resolve("names").toString())) {
      names.create(CRM);
      init(names, CRM, first.toString()); // it had none

      assertThatThrownBy(() -> init(names, CRM, second))
          .isInstanceOf(AlreadyExistsException.class)
          .hasMessage(
              "crm:main is the name of the ledger in file://"
                  + first
                  + "; choose another name, or purge this one first");
      assertThatThrownBy(() -> init(names, CRM, first + "/"))
          .isInstanceOf(AlreadyInitializedException.class);
      assertThat(new NamedLedgers(names).location(CRM).store())
          .hasToString("file://" + first + "/");
    }
  }

  /** Every object of a ledger and its version, but for locks and what only helps to read. */
  private static Map<String, String> kept(MemoryBackend bytes) {
    Map<String, String> kept = new TreeMap<>();
    ObjectStore store = new ObjectStore(bytes, Retry.standard());
    try (Stream<ObjectInfo> found = store.list("ledgers/crm/")) {
      found
          .map(ObjectInfo::key)
          .filter(key -> !key.contains("/meta/indices/") && !key.contains("/meta/locks/"))
          .forEach(key -> kept.put(key, store.get(key).orElseThrow().etag().toString()));
    }
    return kept;
  }

  @Test
  void f7_aForcedInitOfARetractedNameIsRefusedAndLeavesTheLedger() {
    MemoryBackend bytes = new MemoryBackend();
    try (NameService names = names(bytes)) {
      crmWithTwoCommits(names);
      Map<String, String> before = kept(bytes);
      try (NamedLedgerInitializer early =
          new NamedLedgerInitializer(names, CRM, Optional.empty())) {
        names.retract(CRM);

        assertThatThrownBy(() -> new NamedLedgerInitializer(names, CRM, Optional.empty()))
            .isInstanceOf(RetractedException.class)
            .hasMessage("crm:main is retracted; restore it to use it");
        assertThatThrownBy(() -> early.reinitialize(early.plan().forceToken()))
            .isInstanceOf(RetractedException.class);
      }

      assertThat(before).containsKeys("ledgers/crm/meta/head.json");
      assertThat(kept(bytes)).isEqualTo(before);
      names.restore(CRM);
      assertThat(names.ledgers().heads(CRM).orElseThrow().commit().t()).isEqualTo(2);
      try (NamedLedgers.OpenLedger openLedger =
          new NamedLedgers(names).open(CRM, LedgerOptions.standard())) {
        assertThat(openLedger.ledger().log().head()).contains(2L);
      }
    }
  }

  @Test
  void f7_aForcedInitThatIsStoppedAtItsNameComesToItsEnd() throws InterruptedException {
    MemoryBackend bytes = new MemoryBackend();
    FaultyBackend faulty = new FaultyBackend(bytes);
    RequestLatch requestLatch = new RequestLatch();
    try (NameService names = names(faulty)) {
      crmWithTwoCommits(names);
      try (NamedLedgerInitializer init = new NamedLedgerInitializer(names, CRM, Optional.empty())) {
        String token = init.plan().forceToken();
        faulty.next(
            (operation, key) -> operation == Operation.PUT && !key.startsWith("ledgers/"),
            BackendFault.hold(requestLatch));
        CompletableFuture<?> force = CompletableFuture.runAsync(() -> init.reinitialize(token));
        requestLatch.awaitArrival();
        Thread stop = new Thread(() -> init.stop(Duration.ofSeconds(60)));
        stop.start();
        while (stop.getState() != Thread.State.TIMED_WAITING && stop.isAlive()) {
          Thread.onSpinWait();
        }
        requestLatch.open();

        stop.join();
        assertThat(force).succeedsWithin(Duration.ofSeconds(60));
      }
      assertThat(names.ledgers().heads(CRM).orElseThrow().commit()).isEqualTo(Ref.UNBORN);
      try (NamedLedgers.OpenLedger openLedger =
          new NamedLedgers(names).open(CRM, LedgerOptions.standard())) {
        assertThat(openLedger.ledger().log().head()).isEmpty();
        assertThat(openLedger.ledger().info().misnamed()).isEmpty();
      }
    }
  }

  private static void crmWithTwoCommits(NameService names) {
    NamedLedgers ledgers = new NamedLedgers(names);
    try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.claim(CRM, Optional.empty())) {
      ledgerLocation.init().init();
    }
    try (NamedLedgers.OpenLedger openLedger = ledgers.open(CRM, LedgerOptions.standard())) {
      commit(openLedger, "a");
      commit(openLedger, "b");
    }
  }

  @Test
  void aNameWithoutALedgerAndALedgerWithoutANameAreToldApart() {
    try (NameService names = NameService.open(directory.toString())) {
      NamedLedgers ledgers = new NamedLedgers(names);

      assertThatThrownBy(() -> ledgers.open(CRM, LedgerOptions.standard()))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("crm:main");

      names.create(CRM);
      assertThatThrownBy(() -> ledgers.open(CRM, LedgerOptions.standard()))
          .isInstanceOf(UninitializedLedgerException.class)
          .hasMessageContaining("ledgers/crm/");
    }
  }

  @Test
  void theNameOfAGraphSourceIsNoLedgers() {
    try (NameService names = NameService.open(directory.toString())) {
      names
          .graphSources()
          .publish(CRM, SourceType.BM25, Payload.build(json -> json.put("a", 1)), List.of());
      NamedLedgers ledgers = new NamedLedgers(names);

      assertThatThrownBy(() -> ledgers.claim(CRM, Optional.empty()))
          .isInstanceOf(AlreadyExistsException.class)
          .hasMessageContaining("crm:main is the name of a graph source");
      assertThatThrownBy(() -> ledgers.preview(CRM, Optional.empty()))
          .isInstanceOf(AlreadyExistsException.class);
      assertThatThrownBy(() -> ledgers.open(CRM, LedgerOptions.standard()))
          .isInstanceOf(NotFoundException.class);
      try (ObjectStore store = ObjectStore.open(directory.toString())) {
        assertThat(store.get("ledgers/crm/meta/head.json")).isEmpty();
      }
    }
  }

  @Test
  void theNameOfACollectionOfFeaturesIsNoLedgers() {
    try (NameService names = NameService.open(directory.toString())) {
      names.create(CRM);
      names.push(
          CRM,
          Concern.CONFIG,
          Optional.of(ConcernValue.UNBORN),
          ConcernValue.of(1, Payload.parse("{\"features\":{\"collection\":\"crm\"}}")));
      NamedLedgers ledgers = new NamedLedgers(names);

      assertThatThrownBy(() -> ledgers.claim(CRM, Optional.empty()))
          .isInstanceOf(AlreadyExistsException.class)
          .hasMessageContaining("crm:main is the name of a collection of features")
          .hasMessageContaining("give the ledger another");
      assertThatThrownBy(() -> ledgers.preview(CRM, Optional.empty()))
          .isInstanceOf(AlreadyExistsException.class);
      assertThatThrownBy(() -> ledgers.open(CRM, LedgerOptions.standard()))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("the name of a collection of features");
    }
  }

  @Test
  void namesThatArentInAnObjectStoreSaySo() {
    try (NameService names = new NameService(new MemoryNameBackend())) {
      assertThatThrownBy(() -> new NamedLedgers(names).claim(CRM, Optional.empty()))
          .isInstanceOf(InvalidLocationException.class)
          .hasMessageContaining("say where they are");
    }
  }

  private static NameService names(ObjectBackend bytes) {
    return new NameService(
        new ObjectNameBackend(
            new ObjectStore(bytes, Retry.standard()),
            DocumentLayout.B,
            Retry.standard(),
            Clock.systemUTC()));
  }

  private static void commit(NamedLedgers.OpenLedger openLedger, String id) {
    try (Session session = openLedger.ledger().session(List.of(NOTE))) {
      session.ensure(NOTE.id(), CanonicalJson.object().put("id", id));
      assertThat(session.commit()).isPresent();
    }
  }
}
