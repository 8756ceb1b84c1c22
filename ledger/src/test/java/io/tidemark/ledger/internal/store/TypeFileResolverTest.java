// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.Manifest.Link;
import io.tidemark.ledger.internal.store.TypeIndex.Entry;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.Outbox;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of types whose indices are missing or incomplete, found in the chain. */
class TypeFileResolverTest {

  private static final List<TypeId> TYPES =
      List.of(
          TypeId.entity("A"),
          TypeId.entity("B"),
          TypeId.entity("C"),
          TypeId.relation("A"),
          TypeId.relation("Q"));

  private final CountingBackend counting = new CountingBackend(new MemoryBackend());
  private final LedgerObjects objects =
      new LedgerObjects(new ObjectStore(counting, Retry.standard()), "");

  /** Which types a commit has rows of, and which one it drops. */
  private record Commit(List<TypeId> touched, Optional<TypeId> dropped) {}

  /** Who wrote a commit: other programs say nothing of the commits before it. */
  private enum Writer {
    TIDEMARK,
    ANOTHER
  }

  private static String directory(long id) {
    return "commits/" + id + "-test/";
  }

  private static String path(long id) {
    return directory(id) + "manifest.json";
  }

  /** Commits after one another. */
  private final class Branch {
    private final List<Commit> commits = new ArrayList<>();
    private final SortedMap<TypeId, TypeSummary> types = new TreeMap<>();
    private Optional<Manifest> newest = Optional.empty();

    void add(Writer writer, List<TypeId> touched) {
      add(writer, new Commit(touched, Optional.empty()));
    }

    void add(Writer writer, Commit commit) {
      long id = commits.size() + 1L;
      commits.add(commit);
      boolean says = writer == Writer.TIDEMARK;
      List<DataFile> files = new ArrayList<>();
      for (TypeId type : commit.touched()) {
        OptionalLong previous =
            says ? OptionalLong.of(known(type).lastCommit()) : OptionalLong.empty();
        files.add(
            new DataFile(
                type,
                LedgerLayout.data(directory(id), type),
                1,
                1,
                Optional.empty(),
                OptionalLong.empty(),
                previous));
        types.put(type, known(type).withLastCommit(id));
      }
      ObjectNode metadata = CanonicalJson.object();
      commit
          .dropped()
          .ifPresent(
              type -> {
                metadata
                    .put("operation", Manifest.DROP_OPERATION)
                    .put("target_kind", type.kind().singular())
                    .put("target_type", type.name());
                types.put(type, known(type).withLastCommit(0).withFloor(id));
              });
      Optional<Link> parent =
          id == 1 ? Optional.empty() : Optional.of(new Link(id - 1, path(id - 1)));
      Manifest manifest =
          new Manifest(
              id,
              parent,
              Instant.EPOCH,
              "test",
              metadata,
              files,
              says ? Optional.of(new TreeMap<>(types)) : Optional.empty(),
              says
                  ? newest
                      .map(before -> ManifestChain.ancestors(before, path(id - 1)))
                      .or(() -> Optional.of(List.of()))
                  : Optional.empty(),
              List.of(),
              List.of(),
              0);
      objects.write(path(id), manifest.json(Outbox.none()), Condition.none());
      newest = Optional.of(manifest);
    }

    private TypeSummary known(TypeId type) {
      return types.getOrDefault(type, TypeSummary.NONE);
    }

    Manifest newest() {
      return newest.orElseThrow();
    }

    /** The commits that have rows of a type since its last drop up to a commit. */
    List<Long> expected(TypeId type, long upTo) {
      List<Long> ids = new ArrayList<>();
      for (long id = 1; id <= upTo; id++) {
        Commit commit = commits.get((int) id - 1);
        if (commit.dropped().equals(Optional.of(type))) {
          ids.clear();
        } else if (commit.touched().contains(type)) {
          ids.add(id);
        }
      }
      return ids;
    }
  }

  private static TypeIndex unsealed(TypeId type, long upTo) {
    return new TypeIndex(type, upTo, List.of(), Optional.empty(), CanonicalJson.object());
  }

  private static List<Long> commits(List<Entry> entries) {
    return entries.stream().map(Entry::min).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 16, 17, 63, 64, 65, 128, 129, 500})
  void theChainOfAnotherProgramIsReadOnceForAllTypes(int length) {
    Branch branch = new Branch();
    for (int i = 0; i < length; i++) {
      branch.add(Writer.ANOTHER, List.of(TYPES.get(i % TYPES.size())));
    }
    TypeFileResolver files = new TypeFileResolver(objects, new ManifestChain(objects, 10));
    counting.reset();

    for (TypeId type : TYPES) {
      TypeIndex checked = files.checked(unsealed(type, length), branch.newest());
      assertThat(commits(checked.entries())).isEqualTo(branch.expected(type, length));
    }

    // Short runs aren't kept; they are found again at their own price.
    int times = length - 1 < 64 ? TYPES.size() : 1;
    assertThat(counting.requests().of(Operation.GET))
        .isLessThanOrEqualTo((long) length * times + TYPES.size());
  }

  @Test
  void aRunGoesOnFromWhatIsKnownOfIt() {
    Branch branch = new Branch();
    for (int i = 0; i < 100; i++) {
      branch.add(Writer.ANOTHER, List.of(TYPES.get(0)));
    }
    TypeFileResolver files = new TypeFileResolver(objects, new ManifestChain(objects, 10));
    files.checked(unsealed(TYPES.get(0), 100), branch.newest());

    for (long id = 101; id <= 110; id++) {
      branch.add(Writer.ANOTHER, List.of(TYPES.get(1)));
      counting.reset();
      for (TypeId type : TYPES) {
        assertThat(commits(files.checked(unsealed(type, id), branch.newest()).entries()))
            .isEqualTo(branch.expected(type, id));
      }
      assertThat(counting.requests().of(Operation.GET)).isLessThanOrEqualTo(TYPES.size());
    }
  }

  @Test
  void commitsThatDoNotTouchATypeArePassedOverBehindAnotherProgramsCommit() {
    Branch branch = new Branch();
    branch.add(Writer.TIDEMARK, List.of(TYPES.get(0)));
    for (int i = 0; i < 1_000; i++) {
      branch.add(Writer.TIDEMARK, List.of(TYPES.get(1)));
    }
    branch.add(Writer.ANOTHER, List.of(TYPES.get(0)));
    counting.reset();

    TypeIndex checked =
        new TypeFileResolver(objects, new ManifestChain(objects))
            .checked(unsealed(TYPES.get(0), 1_002), branch.newest());

    assertThat(commits(checked.entries())).containsExactly(1L, 1_002L);
    assertThat(counting.requests().of(Operation.GET)).isLessThan(30);
  }

  @Test
  void whicheverProgramsWroteTheCommitsTheFilesAreThoseSinceTheLastDrop() {
    Seed seed = Seed.of("TypeFilesTest.whicheverProgramsWroteTheCommits");
    RandomGenerator random = seed.random();
    for (int round = 0; round < 30; round++) {
      Branch branch = new Branch();
      int length = 1 + random.nextInt(250);
      Writer writer = Writer.ANOTHER;
      for (int i = 0; i < length; i++) {
        int turn = round % 3 == 0 ? 100 : 5;
        writer = random.nextInt(turn) > 0 ? writer : Writer.values()[random.nextInt(2)];
        branch.add(writer, commit(random));
      }
      ManifestChain manifestChain = new ManifestChain(objects, 1 + random.nextInt(300));
      TypeFileResolver files = new TypeFileResolver(objects, manifestChain);
      for (int question = 0; question < 60; question++) {
        TypeId type = TYPES.get(random.nextInt(TYPES.size()));
        long upTo = 1L + random.nextInt(length);
        long newest = upTo + random.nextInt((int) (length - upTo) + 1);
        long lower = random.nextBoolean() ? 0 : random.nextInt((int) upTo);
        Manifest tip = manifestChain.find(branch.newest(), newest);
        String told = seed + ", round " + round + ", " + type + " " + lower + ".." + upTo;

        List<Long> expected = branch.expected(type, upTo);
        assertThat(commits(files.between(tip, type, lower, upTo)))
            .as(told)
            .isEqualTo(expected.stream().filter(id -> id > lower).toList());
        if (newest == upTo) {
          assertThat(commits(files.checked(unsealed(type, upTo), tip).entries()))
              .as(told)
              .isEqualTo(expected);
          assertThat(
                  files
                      .resolve(tip, TypeIndex.none(type, Optional.empty()), lower, upTo)
                      .sources()
                      .stream()
                      .map(TypeFileResolver.Source::min)
                      .toList())
              .as(told)
              .isEqualTo(expected.stream().filter(id -> id > lower).toList());
        }
      }
    }
  }

  private static Commit commit(RandomGenerator random) {
    if (random.nextInt(12) == 0) {
      return new Commit(List.of(), Optional.of(TYPES.get(random.nextInt(TYPES.size()))));
    }
    List<TypeId> touched = TYPES.stream().filter(type -> random.nextInt(4) == 0).toList();
    return new Commit(touched, Optional.empty());
  }
}
