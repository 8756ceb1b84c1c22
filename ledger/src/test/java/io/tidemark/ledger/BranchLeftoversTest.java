// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import static io.tidemark.ledger.BranchContract.DEV;
import static io.tidemark.ledger.BranchContract.ensure;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.Leftovers.Leftover;
import io.tidemark.ledger.Models.Customer;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.internal.store.Layout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.objects.Condition;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.Fault;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** F32 and decision 11: what is cleaned up is of no branch, nor of one that is being made. */
class BranchLeftoversTest {

  private static World world() {
    World world = new World();
    try (Ledger main = BranchDeathsTest.on(world, world.bytes(), BranchName.MAIN)) {
      ensure(main, Customer.of("c1", 1));
      ensure(main, Customer.of("c1", 2));
    }
    return world;
  }

  private static World branched() {
    World world = world();
    try (Ledger main = BranchDeathsTest.on(world, world.bytes(), BranchName.MAIN)) {
      main.branches().create(DEV);
    }
    try (Ledger dev = BranchDeathsTest.on(world, world.bytes(), DEV)) {
      ensure(dev, Customer.of("c1", 3));
    }
    return world;
  }

  /** What is found after as long as makes all old that there is. */
  private static List<Leftover> clean(World world) {
    world.clock().jump(Leftovers.SAFE_AGE.multipliedBy(2));
    try (Ledger main = BranchDeathsTest.on(world, world.bytes(), BranchName.MAIN)) {
      List<Leftover> found = main.leftovers().find(Leftovers.SAFE_AGE);
      found.forEach(main.leftovers()::delete);
      return found;
    }
  }

  @Test
  void aBranchWhoseMakerIsSilentForLongIsWholeOrIsntMade() {
    new Interleaving(
            BranchLeftoversTest::world,
            main -> main.branches().createAt(DEV, 2),
            world -> {
              List<Leftover> unused = clean(world);
            })
        .check(1);
  }

  private static World purgeable() {
    World world = world();
    try (Ledger main = BranchDeathsTest.on(world, world.bytes(), BranchName.MAIN)) {
      BranchContract.drop(main, Models.CUSTOMER);
    }
    return world;
  }

  private static void createThenDie(World world, Hazard hazard) {
    hazard.choose(
        new Requested(Operation.PUT, "branches/dev/meta/head.json", 1), Hazard.End.DIES_AFTER);
    try (Ledger main = BranchDeathsTest.on(world, hazard, BranchName.MAIN)) {
      main.branches().createAt(DEV, 1);
    } catch (TidemarkException e) {
      hazard.die(); // nor does it say anything on closing
    }
  }

  @Test
  void aBranchWhoseMakerDiesWhileFilesArePurgedIsWholeOrIsntThere() {
    World whole = purgeable();
    createThenDie(whole, new Hazard(whole.bytes()));
    assertThat(clean(whole)).isNotEmpty();
    World none = purgeable();
    assertThat(clean(none)).isNotEmpty();
    List<List<String>> possible =
        List.of(BranchDeathsTest.told(whole), BranchDeathsTest.told(none));
    assertThat(possible.get(0)).anyMatch(line -> line.startsWith("dev ") && line.contains("c1"));

    AtomicInteger left = new AtomicInteger();
    for (int number = 1; left.get() <= 0; number++) {
      World world = purgeable();
      left.set(number);
      FaultyBackend faulty = new FaultyBackend(world.bytes());
      faulty.next(
          (operation, key) -> left.decrementAndGet() == 0,
          Fault.meanwhile(() -> assertThat(clean(world)).isNotEmpty()));
      createThenDie(world, new Hazard(faulty));

      assertThat(possible)
          .as("after files were purged before request %d", number)
          .contains(BranchDeathsTest.told(world));
    }
  }

  @Test
  void whatIsLeftOfATryGoesWhetherThereIsABranchOfTheNameOrNot() {
    World world = branched();
    LedgerObjects objects = new LedgerObjects(world.store(), "");
    for (String path :
        List.of("branches/dev/0-dead/meta/x.json", "branches/a/0-dead/meta/x.json")) {
      objects.write(path, CanonicalJson.object(), Condition.none());
    }

    assertThat(clean(world))
        .extracting(Leftover::directory)
        .containsExactly("branches/a/0-dead/", "branches/dev/0-dead/");
    assertThat(clean(world)).isEmpty();
    assertThat(BranchDeathsTest.told(world)).anyMatch(line -> line.startsWith("dev 3"));
  }

  @Test
  void aBranchWhoseHeadHasLostItsEpochKeepsItsDocuments() {
    World world = branched();
    LedgerObjects dev = new LedgerObjects(world.store(), "").on(DEV);
    ObjectNode head = dev.read(Layout.HEAD).orElseThrow().json();
    String epoch = head.remove("epoch").textValue();
    dev.write(Layout.HEAD, head, Condition.none());

    assertThat(clean(world)).isEmpty();

    dev.write(Layout.HEAD, head.put("epoch", epoch), Condition.none());
    assertThat(BranchDeathsTest.told(world)).anyMatch(line -> line.startsWith("dev entity"));
  }

  @Test
  void aNoteOfADropWhoseCommitIsGoneIsntInTheWay() {
    World world = branched();
    try (Ledger main = BranchDeathsTest.on(world, world.bytes(), BranchName.MAIN)) {
      LedgerObjects objects = new LedgerObjects(world.store(), "");
      String manifest =
          Head.read(objects.on(DEV)).orElseThrow().head().manifestPath().orElseThrow();
      main.branches().drop(DEV);
      objects.delete(manifest);

      assertThat(main.leftovers().find(Leftovers.SAFE_AGE)).isEmpty();
    }
  }

  @Test
  void whatAHeadHasComeToLeadToStays() {
    World world = branched();
    LedgerObjects objects = new LedgerObjects(world.store(), "");
    ObjectNode head = objects.on(DEV).read(Layout.HEAD).orElseThrow().json();
    String manifest = Head.read(objects.on(DEV)).orElseThrow().head().manifestPath().orElseThrow();
    try (Ledger main = BranchDeathsTest.on(world, world.bytes(), BranchName.MAIN)) {
      main.branches().drop(DEV);
      world.clock().jump(Leftovers.SAFE_AGE.multipliedBy(2));
      List<Leftover> found = main.leftovers().find(Leftovers.SAFE_AGE);
      assertThat(found).anyMatch(each -> manifest.startsWith(each.directory()));
      // As a push does whose objects were there, and young enough when it came by.
      objects.on(DEV).write(Layout.HEAD, head, Condition.none());

      found.forEach(main.leftovers()::delete);

      assertThat(objects.get(manifest)).isPresent();
    }
  }
}
