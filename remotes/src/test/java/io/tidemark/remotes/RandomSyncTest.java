// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.MergeOutcome;
import io.tidemark.ledger.internal.compact.Compaction;
import io.tidemark.ledger.internal.compact.CompactionListener;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.remotes.transfer.TransferOutcome;
import io.tidemark.remotes.transfer.TransferOutcome.Created;
import io.tidemark.remotes.transfer.TransferOutcome.Diverged;
import io.tidemark.remotes.transfer.TransferOutcome.FastForwarded;
import io.tidemark.remotes.transfer.TransferOutcome.UpToDate;
import io.tidemark.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Random commits and merges on two sides, and random pushes and pulls between them. What is pushed
 * or pulled tells the same on both sides; what has diverged is merged through a branch.
 */
class RandomSyncTest {

  private static final int ROUNDS = 4;
  private static final int STEPS = 15;

  private final RandomGenerator random = Seed.of("RandomSyncTest").random();

  @Test
  void whatIsPushedOrPulledTellsTheSameOnBothSides() {
    for (int i = 0; i < ROUNDS; i++) {
      new Round().run();
    }
  }

  private final class Round {
    private final SiteEnvironment siteEnvironment = new SiteEnvironment();
    private final Site here = siteEnvironment.site("here");
    private final Site there = siteEnvironment.site("there");
    private final List<String> steps = new ArrayList<>();
    private int written;

    void run() {
      there.init("crm");
      commit(there, "crm");
      assertThat(here.cloneOf(there, "crm")).isInstanceOf(Created.class);
      try {
        for (int i = 0; i < STEPS; i++) {
          step();
        }
        here.isSound("crm");
        there.isSound("crm");
      } catch (AssertionError | RuntimeException e) {
        fail("after " + steps, e);
      }
    }

    private void step() {
      Site site = random.nextBoolean() ? here : there;
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> commit(site, "crm");
        case 3 -> onABranch(site);
        case 4 -> compact(site);
        case 5 -> moved(here.pull(there, "crm"), "pull");
        default -> moved(here.push(there, "crm"), "push");
      }
    }

    private void commit(Site site, String address) {
      steps.add("commit " + address + (site == here ? " here" : " there"));
      Object[] rows = new Object[1 + random.nextInt(3)];
      for (int i = 0; i < rows.length; i++) {
        written++;
        String id = "n" + random.nextInt(6);
        rows[i] =
            random.nextInt(4) == 0
                ? NoteTypes.author("a" + written)
                : NoteTypes.note(id, "version " + written);
      }
      site.commit(address, rows);
    }

    private void onABranch(Site site) {
      String branch = "b" + steps.size();
      site.branch("crm", branch);
      commit(site, "crm:" + branch);
      commit(site, "crm");
      steps.add("merge " + branch);
      site.with("crm", ledger -> merge(ledger, branch));
    }

    private void merge(Ledger ledger, String source) {
      assertThat(ledger.merge(new BranchName(source), ConflictResolution.THEIRS).apply(Map.of()))
          .isNotInstanceOf(MergeOutcome.Conflicted.class);
    }

    private void compact(Site site) {
      steps.add("compact");
      site.with(
          "crm",
          ledger -> {
            Compaction compaction = ledger.compaction();
            compaction.run(compaction.plan(CompactionScope.ALL), CompactionListener.none());
          });
    }

    private void moved(TransferOutcome transferOutcome, String how) {
      steps.add(how + " " + transferOutcome.getClass().getSimpleName());
      if (transferOutcome instanceof Diverged) {
        mergeThroughABranch();
        return;
      }
      assertThat(transferOutcome).isInstanceOfAny(FastForwarded.class, UpToDate.class);
      if (transferOutcome instanceof FastForwarded) {
        assertThat(there.account("crm")).isEqualTo(here.account("crm"));
        assertThat(there.head("crm")).isEqualTo(here.head("crm"));
      }
    }

    /** The other side goes on with what both have; ours begins anew from there, under its name. */
    private void mergeThroughABranch() {
      String branch = "theirs" + steps.size();
      assertThat(here.pull(there, "crm", "crm:" + branch)).isInstanceOf(Created.class);
      here.with("crm:" + branch, ledger -> merge(ledger, "main"));
      assertThat(here.push(there, "crm:" + branch, "crm"))
          .as("nothing when all of ours was merged before")
          .isInstanceOfAny(FastForwarded.class, UpToDate.class);
      assertThat(there.account("crm")).isEqualTo(here.account("crm:" + branch));
      assertThat(here.push(there, "crm")).as("all of ours is there").isInstanceOf(UpToDate.class);
    }
  }
}
