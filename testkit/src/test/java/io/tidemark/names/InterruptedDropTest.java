// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Branches.DropOutcome;
import io.tidemark.names.Branches.DropResult;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Drops of branches by processes that die, and what drops cost. */
class InterruptedDropTest {

  private static final Address MAIN = Address.parse("mydb");
  private static final int DEEP = 5;

  /** Ends a process, as far as a test can. */
  private static final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A store that counts requests, and whose process dies before, or after, one of its writes. */
  private static final class CrashingBackend extends ForwardingBackend {
    private int requests;
    private int writes;
    private int dieAt = Integer.MAX_VALUE;
    private boolean after;

    CrashingBackend(ObjectBackend wrapped) {
      super(wrapped);
    }

    private void request() {
      requests++;
      if (writes >= dieAt) {
        throw new SimulatedCrash(); // the process is dead, so it asks for nothing any more
      }
    }

    private <T> T written(T answer) {
      writes++;
      if (writes >= dieAt) {
        throw new SimulatedCrash();
      }
      return answer;
    }

    @Override
    public WriteResult put(String key, Body body, Condition condition, String attempt) {
      request();
      if (!after && writes + 1 >= dieAt) {
        throw new SimulatedCrash();
      }
      return written(super.put(key, body, condition, attempt));
    }

    @Override
    public DeleteResult delete(String key, Optional<ETag> expected) {
      request();
      if (!after && writes + 1 >= dieAt) {
        throw new SimulatedCrash();
      }
      return written(super.delete(key, expected));
    }

    @Override
    public ReadResult<Content> get(String key, Optional<ETag> known) {
      request();
      return super.get(key, known);
    }

    @Override
    public Stream<Listing.Entry> list(Listing listing) {
      request();
      return super.list(listing);
    }
  }

  private final MemoryBackend bytes = new MemoryBackend();

  private NameService open(ObjectBackend backend, DocumentLayout documentLayout) {
    return new NameService(
        new ObjectNameBackend(
            new ObjectStore(backend, Retry.standard()),
            documentLayout,
            Retry.standard(),
            Clock.systemUTC()),
        NameOptions.standard().withoutNotifications());
  }

  private static Address branch(int number) {
    return MAIN.onBranch("b" + number);
  }

  /** A branch of a branch of a branch; all but the last one are to be dropped with it. */
  private static void chain(NameService names, int depth) {
    dropAll(names);
    names.ledgers().compareAndSetCommit(MAIN, Optional.empty(), Ref.of("c1", 1));
    for (int i = 1; i <= depth; i++) {
      Address from = i == 1 ? MAIN : branch(i - 1);
      names.branches().create(from, "b" + i, Optional.empty());
      names.ledgers().publishIndex(branch(i), Ref.of("i1", 1));
    }
  }

  private static void dropAll(NameService names) {
    if (!all(names).isEmpty()) {
      names.ledgers().drop("mydb", DropMode.PURGE);
    }
  }

  private static void drop(NameService names, int depth) {
    for (int i = 1; i <= depth; i++) {
      names.branches().drop(branch(i));
    }
  }

  private static List<NameRecord> all(NameService names) {
    try (Stream<NameRecord> records = names.list(RecordFilter.all())) {
      return records.toList();
    }
  }

  /** Has a process die at each of its writes in turn, until it gets to its end. */
  private int dieAtEachWrite(
      DocumentLayout documentLayout, Consumer<NameService> work, Consumer<Boolean> then) {
    int deaths = 0;
    for (int write = 1; ; write++) {
      for (boolean after : List.of(false, true)) {
        NameService names = open(bytes, documentLayout);
        chain(names, DEEP);
        drop(names, DEEP - 1);
        CrashingBackend crashingBackend = new CrashingBackend(bytes);
        crashingBackend.dieAt = write;
        crashingBackend.after = after;
        try {
          work.accept(open(crashingBackend, documentLayout));
          return deaths;
        } catch (SimulatedCrash e) {
          deaths++;
          then.accept(after);
        }
      }
    }
  }

  private void requireOnlyMain(DocumentLayout documentLayout) {
    assertThat(all(open(bytes, documentLayout)))
        .singleElement()
        .satisfies(
            main -> {
              assertThat(main.address()).isEqualTo(MAIN);
              assertThat(main.meta().branches()).isZero();
              assertThat(main.meta().retracted()).isFalse();
            });
  }

  @ParameterizedTest
  @EnumSource(DocumentLayout.class)
  void aDropThatWasBrokenOffIsFinishedByDoingItAgain(DocumentLayout documentLayout) {
    int deaths =
        dieAtEachWrite(
            documentLayout,
            names -> names.branches().drop(branch(DEEP)),
            after -> {
              try {
                DropResult dropResult = open(bytes, documentLayout).branches().drop(branch(DEEP));
                assertThat(dropResult.dropped()).isEqualTo(DropOutcome.GONE);
              } catch (NotFoundException e) {
                // Only the number of branches was left to be corrected.
              }
              requireOnlyMain(documentLayout);
            });
    assertThat(deaths).isGreaterThan(2 * DEEP);
  }

  @ParameterizedTest
  @EnumSource(DocumentLayout.class)
  void aDropThatWasBrokenOffIsFinishedByUpkeep(DocumentLayout documentLayout) {
    dieAtEachWrite(
        documentLayout,
        names -> names.branches().drop(branch(DEEP)),
        after -> {
          NameService names = open(bytes, documentLayout);
          boolean begun = names.find(branch(DEEP)).isEmpty();
          List<Address> finished = names.branches().finishDrops("mydb");
          if (begun) {
            requireOnlyMain(documentLayout);
          } else {
            assertThat(finished).isEmpty();
            assertThat(all(names)).hasSize(DEEP + 1);
          }
          assertThat(names.branches().finishDrops("mydb")).isEmpty();
        });
  }

  @Test
  void aBranchThatWasMadeByHalvesIsCountedByUpkeep() {
    NameService names = open(bytes, DocumentLayout.B);
    for (int write = 1; write <= 2; write++) {
      chain(names, 1);
      CrashingBackend crashingBackend = new CrashingBackend(bytes);
      crashingBackend.dieAt = write;
      crashingBackend.after = true;
      try {
        open(crashingBackend, DocumentLayout.B).branches().create(MAIN, "second", Optional.empty());
      } catch (SimulatedCrash e) {
        // The creation is meant to fail here.
      }
      names.branches().finishDrops("mydb");
      assertThat(names.find(MAIN).orElseThrow().meta().branches()).isEqualTo(2);
      dropAll(names);
    }
  }

  @Test
  void whatIsOnlyRetractedIsNotDroppedWithItsLastBranch() {
    NameService names = open(bytes, DocumentLayout.B);
    chain(names, 2);
    names.retract(branch(1));
    assertThat(names.branches().drop(branch(2)))
        .isEqualTo(new DropResult(DropOutcome.GONE, List.of(), List.of(branch(1))));
    assertThat(names.branches().finishDrops("mydb")).isEmpty();
    assertThat(names.restore(branch(1)).meta().branches()).isZero();
  }

  @Test
  void theRequestsOfADropGrowWithTheNumberOfBranches() {
    long few = requestsToDrop(20);
    long many = requestsToDrop(80);
    assertThat(many).as("%s for 20 branches", few).isLessThan(5 * few);
    few = requestsToDropAll(20);
    many = requestsToDropAll(80);
    assertThat(many).as("%s for 20 branches", few).isLessThan(5 * few);
  }

  private long requestsToDrop(int depth) {
    CrashingBackend counting = new CrashingBackend(bytes);
    NameService names = open(counting, DocumentLayout.B);
    chain(names, depth);
    counting.requests = 0;
    drop(names, depth);
    requireOnlyMain(DocumentLayout.B);
    return counting.requests;
  }

  private long requestsToDropAll(int depth) {
    CrashingBackend counting = new CrashingBackend(bytes);
    NameService names = open(counting, DocumentLayout.B);
    chain(names, depth);
    counting.requests = 0;
    assertThat(names.ledgers().drop("mydb", DropMode.PURGE).branches()).hasSize(depth + 1);
    return counting.requests;
  }
}
