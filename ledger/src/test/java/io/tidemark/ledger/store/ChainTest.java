// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ledger.json.CanonicalJson;
import io.tidemark.ledger.store.Manifest.Link;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
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
      Chain fresh = new Chain(objects);
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

    assertThat(new Chain(objects).find(foreign, 1).commitId()).isEqualTo(1);
    for (long id = 1; id <= 250; id++) {
      assertThat(new Chain(objects).find(mixed, id).commitId()).isEqualTo(id);
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

    assertThatThrownBy(() -> new Chain(objects).find(newest, 3))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining(path(3))
        .hasMessageContaining("not there");
  }

  @Test
  void aLinkToAnotherCommitThanItSaysIsNamed() {
    Manifest newest = write(5, Ancestors.NONE);
    objects.write(
        path(3), newest.json(Outbox.none()), Condition.none()); // a cycle, if it were followed

    assertThatThrownBy(() -> new Chain(objects).find(newest, 1))
        .isInstanceOf(CorruptLedgerException.class)
        .hasMessageContaining(path(3))
        .hasMessageContaining("is of commit 5");
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
        parent.commitId() + 1, Optional.of(link), kind, Chain.ancestors(parent, link.path()));
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
        Optional.empty(),
        Optional.empty(),
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
