// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.store.CorruptLedgerException;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.CountingBackend;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChainTest {

  private final CountingBackend counting = new CountingBackend(new MemoryBackend());
  private final LedgerObjects objects =
      new LedgerObjects(new ObjectStore(counting, Retry.standard()), "");

  /** F31: some 2 log2(n) steps at most. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100, 1_000, 4_095, 4_096})
  void f31AnyCommitIsFoundInLogarithmicSteps(int commits) {
    Manifest newest = write(commits, Ancestors.ALL);

    long most = 0;
    for (long id = 1; id <= commits; id += Math.max(1, commits / 97)) {
      ManifestChain fresh = new ManifestChain(objects);
      counting.reset();
      assertThat(fresh.find(newest, id).commitId()).isEqualTo(id);
      most = Math.max(most, counting.requests().total());
    }

    int bits = 32 - Integer.numberOfLeadingZeros(commits);
    assertThat(most).isLessThanOrEqualTo(2L * bits);
  }

  @Test
  void aChainOfAnotherProgramIsWalkedAndOneThatGoesOnIsSearched() {
    Manifest foreign = write(50, Ancestors.NONE);
    Manifest mixed = append(foreign, 200);

    assertThat(new ManifestChain(objects).find(foreign, 1).commitId()).isEqualTo(1);
    for (long id = 1; id <= 250; id++) {
      assertThat(new ManifestChain(objects).find(mixed, id).commitId()).isEqualTo(id);
    }
  }

  @Test
  void whatOneKnowsOfAParentIsEnoughForItsChild() {
    Manifest newest = write(1_000, Ancestors.ALL);

    assertThat(newest.ancestors().orElseThrow().size()).isLessThan(12);
    assertThat(newest.ancestors().orElseThrow().get(0).commitId()).isEqualTo(999);
  }

  @Test
  void aHoleIsNamed() {
    Manifest newest = write(5, Ancestors.ALL);
    objects.delete(path(3));

    assertThatThrownBy(() -> new ManifestChain(objects).find(newest, 3))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining(path(3))
        .hasMessageContaining("not there");
  }

  @Test
  void aLinkToAnotherCommitThanItSaysIsNamed() {
    Manifest newest = write(5, Ancestors.NONE);
    objects.write(
        path(3), newest.json(Outbox.none()), Condition.none()); // a cycle, if it were followed

    assertThatThrownBy(() -> new ManifestChain(objects).find(newest, 1))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining(path(3))
        .hasMessageContaining("is of commit 5");
  }

  @Test
  void aStepIsFollowedCommitByCommitHoweverLongItIs() {
    Manifest unused = append(write(50, Ancestors.NONE), 300);
    HeadTransitionCheck near = new HeadTransitionCheck(objects, 1_000);

    for (int from : List.of(1, 40, 50, 51, 150, 249, 250, 251, 349, 350)) {
      assertThat(near.objection(head(from), head(350))).as("from %d", from).isEmpty();
    }
    assertThat(near.objection(head(0), head(350))).isEmpty();
    assertThat(near.objection(Optional.empty(), head(350))).isEmpty();
    assertThat(near.objection(head(350), head(349)).orElseThrow())
        .isEqualTo("it would go back from commit 350 to 349");
    assertThat(near.objection(head(350), Optional.empty())).isPresent();
    assertThat(new HeadTransitionCheck(objects, 299).objection(head(50), head(350)).orElseThrow())
        .contains("by 300 commits at once, and only 299");
    counting.reset();
    assertThat(near.objection(head(349), head(350))).isEmpty();
    assertThat(counting.requests().total()).as("its manifest and its parent's").isEqualTo(2);
  }

  @Test
  void aStepPastALieIsNoneWhereverItIs() {
    Manifest newest = write(300, Ancestors.ALL);
    Manifest honest = new ManifestChain(objects).find(newest, 120);
    ObjectNode lying = honest.json(Outbox.none());
    lying.remove(DocumentChecksum.FIELD);
    lying.putArray("ancestors").addArray().add(7).add("commits/7-other/manifest.json");
    objects.write(path(120), lying, Condition.none());

    assertThat(new HeadTransitionCheck(objects, 1_000).objection(head(5), head(300)).orElseThrow())
        .isEqualTo("commit 121 names ancestors that don't follow from its parent");
    assertThat(new HeadTransitionCheck(objects, 1_000).objection(head(5), head(120)).orElseThrow())
        .isEqualTo("commit 120 names ancestors that don't follow from its parent");
    assertThat(new HeadTransitionCheck(objects, 1_000).objection(head(121), head(300))).isEmpty();
  }

  private Optional<Head> head(long commit) {
    ObjectNode json = Head.initial(Instant.EPOCH, "test", "epoch").put("commit_id", commit);
    if (commit > 0) {
      json.put("manifest_path", path(commit));
    }
    return Head.find(objects, new LedgerObjects.Document(json, new ETag("1")))
        .map(Head.Versioned::head);
  }

  private enum Ancestors {
    ALL,
    NONE
  }

  private Manifest write(int commits, Ancestors kind) {
    Manifest parent = put(manifest(1, Optional.empty(), kind, List.of()));
    for (long id = 2; id <= commits; id++) {
      parent = put(next(parent, kind));
    }
    return parent;
  }

  private Manifest append(Manifest newest, int commits) {
    Manifest parent = newest;
    for (int i = 0; i < commits; i++) {
      parent = put(next(parent, Ancestors.ALL));
    }
    return parent;
  }

  private static Manifest next(Manifest parent, Ancestors kind) {
    Link link = new Link(parent.commitId(), path(parent.commitId()));
    return manifest(
        parent.commitId() + 1,
        Optional.of(link),
        kind,
        ManifestChain.ancestors(parent, link.path()));
  }

  private static Manifest manifest(
      long id, Optional<Link> parent, Ancestors kind, List<Link> ancestors) {
    return new Manifest(
        id,
        parent,
        Instant.EPOCH,
        "test",
        CanonicalJson.object(),
        List.of(),
        Optional.empty(),
        kind == Ancestors.ALL ? Optional.of(ancestors) : Optional.empty(),
        List.of(),
        List.of(),
        0);
  }

  private Manifest put(Manifest manifest) {
    objects.write(path(manifest.commitId()), manifest.json(Outbox.none()), Condition.none());
    return manifest;
  }

  private static String path(long id) {
    return "commits/" + id + "-test/manifest.json";
  }
}
