// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.C5;
import static io.tidemark.testkit.names.Samples.MYDB;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Branches;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.RefusedException;
import io.tidemark.testkit.objects.Race;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Branches that are made and dropped at once, on two instances at one place. */
interface BranchRaceContract {

  NamesFixture fixture();

  private int threads() {
    return fixture().scale().threads();
  }

  private int races() {
    return fixture().scale().races();
  }

  @Test
  default void ofAllWhoDropABranchOneDoes_names72() throws Exception {
    fixture().ledger(MYDB, C5, 5);
    List<NameService> services = fixture().twoInstances();
    int branches = Math.min(races(), 60);
    for (int i = 0; i < branches; i++) {
      fixture().names().branches().create(MYDB, "b" + i, Optional.empty());
    }
    fixture().names().branches().create(MYDB, "stays", Optional.empty());
    AtomicInteger dropped = new AtomicInteger();
    AtomicInteger notFound = new AtomicInteger();
    Race.rounds(
        2,
        branches,
        (thread, round) -> {
          try {
            Branches.DropResult dropResult =
                services.get(thread).branches().drop(MYDB.onBranch("b" + round));
            assertThat(dropResult.dropped()).isEqualTo(Branches.DropOutcome.GONE);
            dropped.incrementAndGet();
          } catch (NotFoundException e) {
            notFound.incrementAndGet();
          }
        });
    assertThat(dropped).hasValue(branches);
    assertThat(notFound).hasValue(branches);
    assertThat(fixture().record(MYDB).meta().branches()).isEqualTo(1);
  }

  @Test
  default void branchesMadeAndDroppedAtOnceAreCountedRight_names5_8() throws Exception {
    fixture().ledger(MYDB, C5, 5);
    List<NameService> services = fixture().twoInstances();
    Race.rounds(
        threads(),
        Math.min(races(), 30),
        (thread, round) -> {
          Branches branches = services.get(thread % 2).branches();
          branches.create(MYDB, "b-" + thread + "-" + round, Optional.empty());
          if (round % 2 == 1) {
            branches.drop(MYDB.onBranch("b-" + thread + "-" + round));
          }
        });
    int left = fixture().names().branches().list("mydb").size() - 1;
    assertThat(left).isEqualTo(threads() * ((Math.min(races(), 30) + 1) / 2));
    assertThat(fixture().record(MYDB).meta().branches()).isEqualTo(left);
  }

  @Test
  default void aBranchDroppedWithItsLastChildrenIsGone_names38() throws Exception {
    fixture().ledger(MYDB, C5, 5);
    List<NameService> services = fixture().twoInstances();
    int rounds = Math.min(races(), 60);
    for (int i = 0; i < rounds; i++) {
      Address parent = MYDB.onBranch("p" + i);
      fixture().names().branches().create(MYDB, "p" + i, Optional.empty());
      fixture().names().branches().create(parent, "c" + i + "a", Optional.empty());
      fixture().names().branches().create(parent, "c" + i + "b", Optional.empty());
    }
    List<String> suffixes = List.of("a", "b");
    Race.rounds(
        3,
        rounds,
        (thread, round) -> {
          String branch = thread == 2 ? "p" + round : "c" + round + suffixes.get(thread);
          try {
            services.get(thread % 2).branches().drop(MYDB.onBranch(branch));
          } catch (NotFoundException e) {
            // Only the parent may be gone already, by the last of its children.
            assertThat(thread).isEqualTo(2);
          }
        });
    assertThat(fixture().listed()).containsExactly("mydb:main");
    assertThat(fixture().record(MYDB).meta().branches()).isZero();
  }

  @Test
  default void noBranchIsLeftWithoutItsSource_names5_8() throws Exception {
    fixture().ledger(MYDB, C5, 5);
    List<NameService> services = fixture().twoInstances();
    int rounds = Math.min(races(), 60);
    for (int i = 0; i < rounds; i++) {
      fixture().names().branches().create(MYDB, "p" + i, Optional.empty());
    }
    AtomicInteger made = new AtomicInteger();
    Race.rounds(
        2,
        rounds,
        (thread, round) -> {
          Address parent = MYDB.onBranch("p" + round);
          try {
            if (thread == 0) {
              services.get(0).branches().create(parent, "c" + round, Optional.empty());
              made.incrementAndGet();
            } else {
              services.get(1).purge(parent);
            }
          } catch (NotFoundException | RefusedException e) {
            // Either was too late for the other.
          }
        });
    int left = 0;
    for (int i = 0; i < rounds; i++) {
      boolean child = fixture().names().find(MYDB.onBranch("c" + i)).isPresent();
      boolean parent = fixture().names().find(MYDB.onBranch("p" + i)).isPresent();
      assertThat(parent).as("round %s", i).isEqualTo(child);
      left += child ? 1 : 0;
    }
    assertThat(made).hasValue(left);
  }
}
