// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.index;
import static io.tidemark.testkit.names.Samples.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.LinearizabilityChecker.Violation;
import io.tidemark.testkit.names.OperationHistory.Action;
import io.tidemark.testkit.names.OperationHistory.Advance;
import io.tidemark.testkit.names.OperationHistory.Answer;
import io.tidemark.testkit.names.OperationHistory.Conflict;
import io.tidemark.testkit.names.OperationHistory.Done;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.OperationHistory.Push;
import io.tidemark.testkit.names.OperationHistory.Read;
import io.tidemark.testkit.names.OperationHistory.Register;
import io.tidemark.testkit.names.OperationHistory.Seen;
import io.tidemark.testkit.names.OperationHistory.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LinearizabilityCheckerTest {
  private static final Register STATUS = new Register(MYDB, Concern.STATUS);
  private static final Register INDEX = new Register(MYDB, Concern.INDEX);
  private static final ConcernValue ONE = state(1, "one");
  private static final ConcernValue TWO = state(2, "two");
  private static final ConcernValue OTHER_TWO = state(2, "other two");
  private static final ConcernValue THREE = state(3, "three");

  private final OperationHistory operationHistory = new OperationHistory();

  private void at(long invoked, long returned, Action action, Answer answer) {
    operationHistory.add(new Operation(STATUS, action, answer, invoked, returned));
  }

  private void indexAt(long invoked, long returned, Action action, Answer answer) {
    operationHistory.add(new Operation(INDEX, action, answer, invoked, returned));
  }

  private static Push push(ConcernValue expected, ConcernValue next) {
    return new Push(Optional.of(expected), next);
  }

  private static Seen seen(ConcernValue value) {
    return new Seen(Optional.of(value));
  }

  private static Conflict conflict(ConcernValue actual) {
    return new Conflict(Optional.of(actual));
  }

  private Optional<Violation> check() {
    return LinearizabilityChecker.check(operationHistory, register -> Optional.of(ONE));
  }

  private void assertFails(long invoked) {
    assertThat(check().orElseThrow().operation().invoked()).isEqualTo(invoked);
  }

  @Test
  void anEmptyHistoryIsFine() {
    assertThat(check()).isEmpty();
  }

  @Test
  void oneAfterTheOtherIsFine() {
    at(1, 2, new Read(), seen(ONE));
    at(3, 4, push(ONE, TWO), new Done());
    at(5, 6, push(ONE, OTHER_TWO), conflict(TWO));
    at(7, 8, new Read(), seen(TWO));
    at(9, 10, push(TWO, THREE), new Done());
    assertThat(check()).isEmpty();
  }

  @Test
  void whatOverlapsMayBeInAnyOrder() {
    at(1, 10, push(TWO, THREE), new Done());
    at(2, 9, push(ONE, TWO), new Done());
    at(3, 8, new Read(), seen(ONE));
    at(4, 7, new Read(), seen(THREE));
    at(5, 6, push(ONE, OTHER_TWO), conflict(TWO));
    assertThat(check()).isEmpty();
  }

  @Test
  void aLostUpdateIsFound() {
    at(1, 2, push(ONE, TWO), new Done());
    at(3, 4, new Read(), seen(ONE));
    assertFails(3);
  }

  @Test
  void aStaleReadIsFound() {
    at(1, 2, push(ONE, TWO), new Done());
    at(3, 4, push(TWO, THREE), new Done());
    at(5, 6, new Read(), seen(TWO));
    assertFails(5);
  }

  @Test
  void readsThatGoBackAreFound() {
    at(1, 10, push(ONE, TWO), new Done());
    at(2, 3, new Read(), seen(TWO));
    at(4, 5, new Read(), seen(ONE));
    assertFails(4);
  }

  @Test
  void twoWhoWinOneRaceAreFound() {
    at(1, 10, push(ONE, TWO), new Done());
    at(2, 9, push(ONE, OTHER_TWO), new Done());
    assertThat(check()).isPresent();
  }

  @Test
  void aValueThatNobodyWroteIsFound() {
    at(1, 2, new Read(), seen(THREE));
    assertFails(1);
  }

  @Test
  void aReadFromTheFutureIsFound() {
    at(1, 2, new Read(), seen(TWO));
    at(3, 4, push(ONE, TWO), new Done());
    assertFails(1);
  }

  @Test
  void aConflictThatWasNoneIsFound() {
    at(1, 2, push(ONE, TWO), conflict(ONE));
    assertFails(1);
  }

  @Test
  void aConflictWithTheWrongStateIsFound() {
    at(1, 2, push(ONE, TWO), new Done());
    at(3, 4, push(ONE, OTHER_TWO), conflict(THREE));
    assertFails(3);
  }

  @Test
  void aPushThatWentBackIsFound() {
    at(1, 2, push(ONE, THREE), new Done());
    at(3, 4, push(THREE, TWO), new Done());
    assertFails(3);
  }

  @Test
  void aPushInPlaceIsFoundExceptOfAnIndex() {
    indexAt(1, 2, push(ONE, index("a", 5, 0)), new Done());
    indexAt(3, 4, push(index("a", 5, 0), index("b", 5, 1)), new Done());
    indexAt(5, 6, new Read(), seen(index("b", 5, 1)));
    assertThat(check()).isEmpty();
    at(7, 8, push(ONE, state(1, "other")), new Done());
    assertFails(7);
  }

  @Test
  void anAdvanceGoesForwardFromAnywhere() {
    indexAt(1, 10, new Advance(index("a", 5, 0), ConcernChange.Bound.NEWER), new Done());
    indexAt(2, 9, new Advance(index("b", 7, 0), ConcernChange.Bound.NEWER), new Done());
    indexAt(
        3, 8, new Advance(index("c", 6, 0), ConcernChange.Bound.NEWER), conflict(index("b", 7, 0)));
    indexAt(11, 12, new Read(), seen(index("b", 7, 0)));
    assertThat(check()).isEmpty();
    indexAt(13, 14, new Advance(index("d", 7, 0), ConcernChange.Bound.NEWER), new Done());
    assertFails(13);
  }

  @Test
  void anAdvanceInPlaceIsBounded() {
    indexAt(1, 2, new Advance(index("a", 5, 0), ConcernChange.Bound.NEWER), new Done());
    indexAt(3, 4, new Advance(index("b", 5, 1), ConcernChange.Bound.NEWER_OR_EQUAL), new Done());
    assertThat(check()).isEmpty();
    indexAt(
        5,
        6,
        new Advance(index("c", 5, 2), ConcernChange.Bound.NEWER_OR_EQUAL),
        conflict(index("b", 5, 1)));
    assertFails(5);
  }

  @Test
  void anUnknownPushMayHaveHappened() {
    at(1, 2, push(ONE, TWO), new Unknown());
    at(3, 4, new Read(), seen(TWO));
    at(5, 6, push(TWO, THREE), new Done());
    assertThat(check()).isEmpty();
  }

  @Test
  void anUnknownPushMayNotHaveHappened() {
    at(1, 2, push(ONE, TWO), new Unknown());
    at(3, 4, new Read(), seen(ONE));
    at(5, 6, push(ONE, OTHER_TWO), new Done());
    at(7, 8, new Read(), seen(OTHER_TWO));
    assertThat(check()).isEmpty();
  }

  @Test
  void anUnknownPushMayHappenLate() {
    at(1, 2, push(ONE, TWO), new Unknown());
    at(3, 4, new Read(), seen(ONE));
    at(5, 6, new Read(), seen(TWO));
    assertThat(check()).isEmpty();
  }

  @Test
  void anUnknownPushDoesNotHappenTwiceNorUndoItself() {
    at(1, 2, push(ONE, TWO), new Unknown());
    at(3, 4, new Read(), seen(TWO));
    at(5, 6, new Read(), seen(ONE));
    assertFails(5);
  }

  @Test
  void anUnknownPushDoesNotHappenBeforeItWasAskedFor() {
    at(1, 2, new Read(), seen(TWO));
    at(3, 4, push(ONE, TWO), new Unknown());
    assertFails(1);
  }

  @Test
  void anUnknownPushDoesNotHappenOnceItsTimeIsOver() {
    at(1, 2, push(ONE, TWO), new Unknown());
    at(3, 4, push(ONE, OTHER_TWO), new Done());
    at(5, 6, new Read(), seen(TWO));
    assertFails(5);
  }

  @Test
  void ofTwoUnknownPushesEitherMayHaveWon() {
    at(1, 2, push(ONE, TWO), new Unknown());
    at(1, 2, push(ONE, OTHER_TWO), new Unknown());
    at(3, 4, new Read(), seen(OTHER_TWO));
    assertThat(check()).isEmpty();
    at(5, 6, new Read(), seen(TWO));
    assertFails(5);
  }

  @Test
  void aChainOfUnknownPushesMayHaveHappened() {
    at(1, 2, push(ONE, TWO), new Unknown());
    at(3, 4, push(TWO, THREE), new Unknown());
    at(5, 6, new Read(), seen(THREE));
    assertThat(check()).isEmpty();
  }

  @Test
  void aRegisterMayBeginAbsent() {
    at(1, 2, new Read(), new Seen(Optional.empty()));
    at(3, 4, push(ONE, TWO), new Conflict(Optional.empty()));
    at(5, 6, new Push(Optional.empty(), ONE), new Done());
    at(7, 8, new Push(Optional.empty(), TWO), conflict(ONE));
    assertThat(LinearizabilityChecker.check(operationHistory, register -> Optional.empty()))
        .isEmpty();
    at(9, 10, new Read(), new Seen(Optional.empty()));
    assertThat(LinearizabilityChecker.check(operationHistory, register -> Optional.empty()))
        .isPresent();
  }

  @Test
  void registersAreIndependent() {
    at(1, 2, push(ONE, TWO), new Done());
    indexAt(3, 4, new Read(), seen(ONE));
    assertThat(check()).isEmpty();
  }

  @Test
  void aViolationSaysWhatCannotBeExplained() {
    at(1, 2, push(ONE, TWO), new Done());
    at(3, 4, new Read(), seen(ONE));
    Violation violation = check().orElseThrow();
    assertThat(violation.states()).containsExactly(Optional.of(TWO));
    assertThat(violation.before()).hasSize(1);
    assertThat(violation.toString()).contains("mydb", "STATUS", "one", "two");
  }

  @Test
  void manyUnknownOutcomesAreForgottenAsTheRegisterMovesOn() {
    ConcernValue now = ONE;
    for (int i = 0; i < 2_000; i++) {
      long time = 10L * i;
      ConcernValue next = state(now.watermark() + 1, "next");
      at(time, 0, push(now, state(now.watermark() + 1, "lost")), new Unknown());
      at(time + 1, time + 2, push(now, next), new Done());
      at(time + 3, 0, push(next, state(next.watermark() + 1, "lost too")), new Unknown());
      now = next;
    }
    at(100_000, 100_001, new Read(), seen(now));
    assertThat(check()).isEmpty();
  }

  /** A register that works, on a line of time on which operations overlap. */
  private List<Operation> randomHistory(RandomGenerator random, int count) {
    List<Operation> operations = new ArrayList<>();
    ConcernValue now = ONE;
    for (int i = 0; i < count; i++) {
      long moment = 10L * i + 1000;
      long invoked = moment - random.nextInt(40);
      long returned = moment + random.nextInt(40);
      int drawn = random.nextInt(10);
      ConcernValue next = state(now.watermark() + 1, "s" + i);
      if (drawn < 4) {
        operations.add(new Operation(STATUS, new Read(), seen(now), invoked, returned));
      } else if (drawn < 5) {
        Push stale = push(state(now.watermark(), "stale"), next);
        operations.add(new Operation(STATUS, stale, conflict(now), invoked, returned));
      } else {
        boolean lost = random.nextInt(10) == 0;
        Answer answer = lost ? new Unknown() : new Done();
        operations.add(new Operation(STATUS, push(now, next), answer, invoked, returned));
        now = lost && random.nextBoolean() ? now : next;
      }
    }
    return operations;
  }

  @Test
  void whateverARegisterThatWorksDoesIsFine() {
    Seed seed = Seed.of("whateverARegisterThatWorksDoesIsFine");
    randomHistory(seed.random(), 20_000).forEach(operationHistory::add);
    assertThat(check()).as("%s", seed).isEmpty();
  }

  @Test
  void oneBadReadAmongManyIsFound() {
    Seed seed = Seed.of("oneBadReadAmongManyIsFound");
    RandomGenerator random = seed.random();
    randomHistory(random, 5_000).forEach(operationHistory::add);
    long moment = 1000 + 10L * (2_500 + random.nextInt(2_000));
    at(moment, moment + 1, new Read(), seen(ONE));
    assertThat(check()).as("%s", seed).isPresent();
    assertFails(moment);
  }
}
