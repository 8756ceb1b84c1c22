// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.internal.named.LedgerAdoption.AdoptionResult;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.ledger.store.UninitializedLedgerException;
import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.NameService;
import io.tidemark.names.RetractedException;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger that exists gets a name, and its branches theirs. */
class LedgerAdoptionTest {

  private static final Address CRM = Address.parse("crm");
  private static final LedgerOptions OPTIONS = LedgerOptions.standard();
  private static final TypeSchema NOTE =
      new TypeSchema(
          TypeId.entity("Note"),
          new TreeMap<>(Map.of("id", Field.of(Scalar.STRING))),
          new KeyField("id"));

  @TempDir private Path directory;
  private String objects = "";
  private NameService names = NameService.open("memory:");

  /** A ledger with the branches dev, and fix of dev, under names of its own. */
  @BeforeEach
  void makeLedger() {
    objects = directory.resolve("old/ledgers/crm").toString();
    try (NameService old = NameService.open(directory.resolve("old").toString())) {
      NamedLedgers ledgers = new NamedLedgers(old);
      try (NamedLedgerInitializer init =
          new NamedLedgerInitializer(ledgers, CRM, Optional.empty())) {
        init.init();
      }
      NamedBranches branches = new NamedBranches(ledgers, OPTIONS);
      commit(ledgers, CRM, "a");
      branches.create(CRM, "dev");
      commit(ledgers, CRM.onBranch("dev"), "b");
      branches.create(CRM.onBranch("dev"), "fix");
      commit(ledgers, CRM.onBranch("fix"), "c");
    }
  }

  @AfterEach
  void close() {
    names.close();
  }

  private static void commit(NamedLedgers ledgers, Address address, String id) {
    try (NamedLedgers.OpenLedger openLedger = ledgers.open(address, OPTIONS);
        Session session = openLedger.ledger().session(List.of(NOTE))) {
      session.ensure(NOTE.id(), CanonicalJson.object().put("id", id));
      session.commit();
    }
  }

  private AdoptionResult adopt(String location) {
    return new LedgerAdoption(new NamedLedgers(names), OPTIONS).adopt(CRM, Optional.of(location));
  }

  private long head(String branch) {
    return names.ledgers().heads(CRM.onBranch(branch)).orElseThrow().commit().t();
  }

  @Test
  void itsBranchesAreNamedAfterThoseTheyBeganFrom() {
    AdoptionResult adoptionResult = adopt(objects);

    assertThat(adoptionResult.head()).isEqualTo(1);
    assertThat(adoptionResult.branches()).containsExactly(CRM.onBranch("dev"), CRM.onBranch("fix"));
    assertThat(List.of(head("main"), head("dev"), head("fix"))).containsExactly(1L, 2L, 3L);
    assertThat(names.find(CRM.onBranch("fix")).orElseThrow().meta().sourceBranch()).contains("dev");
    NamedLedgers ledgers = new NamedLedgers(names);
    commit(ledgers, CRM, "d");
    commit(ledgers, CRM.onBranch("fix"), "e");
    assertThat(List.of(head("main"), head("dev"), head("fix"))).containsExactly(2L, 2L, 4L);
    try (NamedLedgers.OpenLedger openLedger = ledgers.open(CRM, OPTIONS)) {
      Ledger ledger = openLedger.ledger();
      assertThat(ledger.indices().verify(Depth.NEWEST).ok()).isTrue();
    }
  }

  @Test
  void repeatingItCompletesWhatWasInterrupted() {
    new NamedLedgers(names).claim(CRM, Optional.of(objects)).close();
    assertThat(adopt(objects)).isEqualTo(adopt(objects));
    assertThat(List.of(head("main"), head("dev"), head("fix"))).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aPlaceWithoutALedgerIsRefusedAndNoNameIsMade() {
    assertThatThrownBy(() -> adopt(directory.resolve("old").toString()))
        .isInstanceOf(UninitializedLedgerException.class)
        .hasMessageContaining("meta/head.json is missing there; check the location");
    assertThat(names.find(CRM)).isEmpty();
  }

  @Test
  void aNameOfAnotherLedgerIsRefused() {
    NamedLedgers ledgers = new NamedLedgers(names);
    try (NamedLedgerInitializer init =
        new NamedLedgerInitializer(
            ledgers, CRM, Optional.of(directory.resolve("other").toString()))) {
      init.init();
    }
    commit(ledgers, CRM, "x");

    assertThatThrownBy(() -> adopt(objects))
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("crm:main is the name of the ledger in");
    assertThat(head("main")).isEqualTo(1);
    assertThat(names.find(CRM.onBranch("dev"))).isEmpty();
  }

  @Test
  void aNameOfABranchThatIsTakenIsRefusedBeforeAnyIsMade() {
    names.create(CRM.onBranch("dev"));
    names.retract(CRM.onBranch("dev"));

    assertThatThrownBy(() -> adopt(objects))
        .isInstanceOf(RetractedException.class)
        .hasMessageContaining("crm:dev is retracted");
    assertThat(names.find(CRM)).isEmpty();
  }

  private static NameService names(ObjectBackend bytes) {
    return new NameService(
        new ObjectNameBackend(
            new ObjectStore(bytes, Retry.standard()),
            DocumentLayout.B,
            Retry.standard(),
            Clock.systemUTC()));
  }

  /** What came of an adoption: the location, or empty when the name was taken. */
  private static Optional<String> tried(NameService names, String location) {
    try {
      new LedgerAdoption(new NamedLedgers(names), OPTIONS).adopt(CRM, Optional.of(location));
      return Optional.of(location);
    } catch (AlreadyExistsException e) {
      return Optional.empty();
    }
  }

  /**
   * Adopts a ledger of the name crm, and before each of its requests in turn another one.
   *
   * @return the locations that were adopted, for each turn
   */
  private static List<List<String>> atOnce(String first, String second, Consumer<NameService> end)
      throws InterruptedException {
    List<List<String>> all = new ArrayList<>();
    for (int turn = 0; ; turn++) {
      MemoryBackend bytes = new MemoryBackend();
      FaultyBackend faulty = new FaultyBackend(bytes);
      int[] left = {turn};
      List<String> adopted = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch otherEnded = new CountDownLatch(1);
      try (NameService one = names(faulty);
          NameService other = names(bytes)) {
        faulty.next(
            (operation, key) -> left[0]-- == 0,
            BackendFault.runBefore(
                () -> {
                  tried(other, second).ifPresent(adopted::add);
                  otherEnded.countDown();
                }));
        tried(one, first).ifPresent(adopted::add);
        if (left[0] >= 0) {
          return all; // it has no more requests
        }
        // The request may have been a concurrent read, which the first adoption doesn't wait for.
        assertThat(otherEnded.await(1, TimeUnit.MINUTES)).isTrue();
        all.add(adopted);
        end.accept(other);
      }
    }
  }

  @Test
  void ofTwoAdoptionsOfOneNameAtOnceExactlyOneWins() throws InterruptedException {
    String another = directory.resolve("another").toString();
    try (NameService old = NameService.open(directory.resolve("names").toString())) {
      NamedLedgers ledgers = new NamedLedgers(old);
      try (NamedLedgerInitializer init =
          new NamedLedgerInitializer(ledgers, CRM, Optional.of(another))) {
        init.init();
      }
      for (String id : List.of("v", "w", "x", "y", "z")) {
        commit(ledgers, CRM, id);
      }
    }
    List<Long> heads = new ArrayList<>();
    List<String> places = new ArrayList<>();

    List<List<String>> adopted =
        atOnce(
            objects,
            another,
            names -> {
              heads.add(names.ledgers().heads(CRM).orElseThrow().commit().t());
              try (NamedLedgers.LedgerLocation ledgerLocation =
                  new NamedLedgers(names).location(CRM)) {
                places.add(ledgerLocation.objects(CRM).location());
              }
            });

    assertThat(adopted).hasSizeGreaterThan(5);
    for (int turn = 0; turn < adopted.size(); turn++) {
      assertThat(adopted.get(turn)).as("turn " + turn).hasSize(1);
      boolean isFirst = adopted.get(turn).get(0).equals(objects);
      assertThat(heads.get(turn)).isEqualTo(isFirst ? 1 : 5);
      assertThat(places.get(turn)).contains(isFirst ? objects : another);
    }
    assertThat(adopted).contains(List.of(objects), List.of(another));
  }

  @Test
  void twoAdoptionsOfOneLedgerAtOnceAgree() throws InterruptedException {
    List<List<String>> adopted =
        atOnce(
            objects,
            objects,
            names ->
                assertThat(
                        Stream.of("main", "dev", "fix")
                            .map(branch -> names.ledgers().heads(CRM.onBranch(branch)))
                            .map(heads -> heads.orElseThrow().commit().t()))
                    .containsExactly(1L, 2L, 3L));

    assertThat(adopted).hasSizeGreaterThan(5).containsOnly(List.of(objects, objects));
  }
}
