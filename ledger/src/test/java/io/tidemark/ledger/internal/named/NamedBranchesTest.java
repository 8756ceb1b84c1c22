// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.named;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.Session;
import io.tidemark.ledger.schema.Field;
import io.tidemark.ledger.schema.FieldType.Scalar;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.KeyField;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Decision 11, by name: a branch and its name come and go together, whoever is slow. */
class NamedBranchesTest {

  private static final Address CRM = Address.parse("crm");
  private static final Address DEV = CRM.onBranch("dev");
  private static final String HEAD = "ledgers/crm/branches/dev/meta/head.json";
  private static final LedgerOptions OPTIONS = LedgerOptions.standard();
  private static final TypeSchema NOTE =
      new TypeSchema(
          TypeId.entity("Note"),
          new TreeMap<>(Map.of("id", Field.of(Scalar.STRING))),
          new KeyField("id"));

  private final MemoryBackend bytes = withCommits();
  private final NamedBranches branches = new NamedBranches(names(bytes), OPTIONS);

  private static MemoryBackend withCommits() {
    MemoryBackend bytes = new MemoryBackend();
    NamedLedgers ledgers = new NamedLedgers(names(bytes));
    try (NamedLedgers.LedgerLocation ledgerLocation = ledgers.claim(CRM, Optional.empty())) {
      ledgerLocation.init().init();
    }
    try (NamedLedgers.OpenLedger openLedger = ledgers.open(CRM, OPTIONS);
        Session session = openLedger.ledger().session(List.of(NOTE))) {
      for (String id : List.of("a", "b")) {
        session.ensure(NOTE.id(), CanonicalJson.object().put("id", id));
        assertThat(session.commit()).isPresent();
      }
    }
    return bytes;
  }

  private static NameService names(ObjectBackend bytes) {
    return new NameService(
        new ObjectNameBackend(
            new ObjectStore(bytes, Retry.standard()),
            DocumentLayout.B,
            Retry.standard(),
            Clock.systemUTC()));
  }

  /** The newest commit of the branch, which is read to the last; empty when it has no name. */
  private Optional<Long> head() {
    NameService names = names(bytes);
    if (names.find(DEV).isEmpty()) {
      return Optional.empty();
    }
    try (NamedLedgers.OpenLedger openLedger = new NamedLedgers(names).open(DEV, OPTIONS)) {
      assertThat(openLedger.ledger().reader().types()).containsExactly(NOTE.id());
      return openLedger.ledger().log().head();
    }
  }

  private static boolean works(Runnable deed) {
    try {
      deed.run();
      return true;
    } catch (TidemarkException e) {
      return false;
    }
  }

  @Test
  void aDropThatIsSlowLeavesTheBranchThatWasMadeMeanwhile() {
    branches.create(CRM, "dev");
    FaultyBackend faulty = new FaultyBackend(bytes);
    faulty.next(
        Operation.PUT,
        HEAD,
        BackendFault.runBefore(
            () -> {
              branches.drop(DEV); // which has lost its name already
              branches.createAt(CRM, "dev", 1);
            }));

    new NamedBranches(names(faulty), OPTIONS).drop(DEV);

    assertThat(faulty.pendingFaults()).isZero();
    assertThat(branches.unnamed(CRM)).isEmpty();
    assertThat(head()).contains(1L);
  }

  @Test
  void whoMakesABranchThatIsDroppedMeanwhileIsToldSoAndLeavesNone() {
    List<String> failures = new ArrayList<>();
    Consumer<NamedBranches> create = slow -> slow.create(CRM, "dev");
    for (int number = 1; ; number++) {
      AtomicInteger drops = new AtomicInteger();
      Optional<Boolean> made =
          whileSlow(
              number,
              create,
              () -> {
                if (works(() -> branches.drop(DEV))) {
                  drops.incrementAndGet();
                }
              });
      if (made.isEmpty()) {
        break;
      }
      boolean nameless = !branches.unnamed(CRM).isEmpty();
      // The drop may come before all of it, or after.
      boolean fits = made.get() ? head().isPresent() == (drops.get() == 0) : drops.get() == 1;
      if (nameless || !fits) {
        failures.add(number + ": made " + made.get() + ", dropped " + drops + ", " + nameless);
      }
      boolean unused = works(() -> branches.drop(DEV));
    }
    assertThat(failures).as("before request").isEmpty();
  }

  @Test
  void whoDropsABranchThatIsMadeMeanwhileLeavesItWithItsNameOrNeither() {
    List<String> failures = new ArrayList<>();
    for (int number = 1; ; number++) {
      boolean prepared = works(() -> branches.create(CRM, "dev"));
      assertThat(prepared).isTrue();
      Optional<Boolean> dropped =
          whileSlow(
              number,
              slow -> slow.drop(DEV),
              () -> {
                boolean unused = works(() -> branches.drop(DEV));
                unused = works(() -> branches.createAt(CRM, "dev", 1));
              });
      if (dropped.isEmpty()) {
        break;
      }
      if (!branches.unnamed(CRM).isEmpty() || head().filter(at -> at != 1).isPresent()) {
        failures.add(number + ": dropped " + dropped.get() + ", " + branches.unnamed(CRM));
      }
      boolean unused = works(() -> branches.drop(DEV));
    }
    assertThat(failures).as("before request").isEmpty();
  }

  /** Whether the slow one succeeds; empty when it makes fewer requests than that. */
  private Optional<Boolean> whileSlow(int number, Consumer<NamedBranches> slow, Runnable other) {
    FaultyBackend faulty = new FaultyBackend(bytes);
    AtomicInteger left = new AtomicInteger(number);
    Thread here = Thread.currentThread(); // what is done beside it is none of its steps
    faulty.next(
        (operation, key) -> Thread.currentThread() == here && left.decrementAndGet() == 0,
        BackendFault.runBefore(other));
    boolean done = works(() -> slow.accept(new NamedBranches(names(faulty), OPTIONS)));
    return faulty.pendingFaults() == 0 ? Optional.of(done) : Optional.empty();
  }
}
