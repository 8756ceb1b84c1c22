// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Branches.DropOutcome;
import io.tidemark.names.DropMode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Drops of branches by processes that die before or after one of their requests. */
class BrokenOffDropTest extends DynamoDbTestBase {

  private static final Address MAIN = Address.parse("mydb");
  private static final int DEEP = 4;

  BrokenOffDropTest(DynamoDbServer server) {
    super(server);
  }

  /** Ends a process, as far as a test can. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Process that dies at one of its requests, after which it sends none. */
  private static final class Mortal implements ExecutionInterceptor {
    private final int dieAt;
    private final boolean after;
    private int requests;

    Mortal(int dieAt, boolean after) {
      this.dieAt = dieAt;
      this.after = after;
    }

    @Override
    public synchronized void beforeExecution(
        Context.BeforeExecution context, ExecutionAttributes attributes) {
      requests++;
      if (requests > dieAt || (requests == dieAt && !after)) {
        throw new Killed();
      }
    }

    @Override
    public synchronized void afterExecution(
        Context.AfterExecution context, ExecutionAttributes attributes) {
      if (requests >= dieAt) {
        throw new Killed();
      }
    }
  }

  private static Address branch(int number) {
    return MAIN.onBranch("b" + number);
  }

  /** A branch of a branch of a branch; all but the last one are to be dropped with it. */
  private void makeDeferredDrops() {
    if (!all().isEmpty()) {
      names.ledgers().drop("mydb", DropMode.PURGE);
    }
    names.ledgers().compareAndSetCommit(MAIN, Optional.empty(), Ref.of("c1", 1));
    for (int i = 1; i <= DEEP; i++) {
      names.branches().create(i == 1 ? MAIN : branch(i - 1), "b" + i, Optional.empty());
      names.ledgers().publishIndex(branch(i), Ref.of("i1", 1));
    }
    for (int i = 1; i < DEEP; i++) {
      names.branches().drop(branch(i));
    }
  }

  private List<NameRecord> all() {
    try (Stream<NameRecord> records = names.list(RecordFilter.all())) {
      return records.toList();
    }
  }

  /** Has a process die at each of its requests in turn, until it gets to its end. */
  private int dieAtEachRequest(Runnable then) {
    int deaths = 0;
    for (int request = 1; ; request++) {
      for (boolean after : List.of(false, true)) {
        makeDeferredDrops();
        try (NameService mortal = table.namesOf(new Mortal(request, after))) {
          mortal.branches().drop(branch(DEEP));
          return deaths;
        } catch (Killed e) {
          deaths++;
          then.run();
        }
      }
    }
  }

  private void requireOnlyMain() {
    assertThat(all())
        .singleElement()
        .satisfies(
            main -> {
              assertThat(main.address()).isEqualTo(MAIN);
              assertThat(main.meta().branches()).isZero();
              assertThat(main.meta().retracted()).isFalse();
            });
  }

  @Test
  void aDropThatWasBrokenOffIsFinishedByDoingItAgain() {
    int deaths =
        dieAtEachRequest(
            () -> {
              try {
                assertThat(names.branches().drop(branch(DEEP)).dropped())
                    .isEqualTo(DropOutcome.GONE);
              } catch (NotFoundException e) {
                // Only the number of branches was left to be corrected.
              }
              requireOnlyMain();
            });
    assertThat(deaths).isGreaterThan(2 * DEEP);
  }

  @Test
  void aDropThatWasBrokenOffIsFinishedByUpkeep() {
    int deaths =
        dieAtEachRequest(
            () -> {
              boolean begun = names.find(branch(DEEP)).isEmpty();
              List<Address> finished = names.branches().finishDrops("mydb");
              if (begun) {
                requireOnlyMain();
              } else {
                assertThat(finished).isEmpty();
                assertThat(all()).hasSize(DEEP + 1);
              }
              assertThat(names.branches().finishDrops("mydb")).isEmpty();
            });
    assertThat(deaths).isGreaterThan(2 * DEEP);
  }
}
