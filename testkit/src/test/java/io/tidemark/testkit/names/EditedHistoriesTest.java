// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static io.tidemark.testkit.names.Samples.MYDB;
import static io.tidemark.testkit.names.Samples.head;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.testkit.names.OperationHistory.Action;
import io.tidemark.testkit.names.OperationHistory.Advance;
import io.tidemark.testkit.names.OperationHistory.Answer;
import io.tidemark.testkit.names.OperationHistory.Conflict;
import io.tidemark.testkit.names.OperationHistory.Done;
import io.tidemark.testkit.names.OperationHistory.Edit;
import io.tidemark.testkit.names.OperationHistory.Life;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.OperationHistory.Push;
import io.tidemark.testkit.names.OperationHistory.Read;
import io.tidemark.testkit.names.OperationHistory.Refusal;
import io.tidemark.testkit.names.OperationHistory.Register;
import io.tidemark.testkit.names.OperationHistory.Seen;
import io.tidemark.testkit.names.OperationHistory.State;
import io.tidemark.testkit.names.OperationHistory.Unknown;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Histories in which records are retracted, restored and reset. */
class EditedHistoriesTest {
  private static final Register HEAD = new Register(MYDB, Concern.HEAD);
  private static final ConcernValue ONE = head("one", 1);
  private static final ConcernValue TWO = head("two", 2);
  private static final ConcernValue THREE = head("three", 3);
  private static final ConcernValue BACK = head("back", 1);
  private static final Edit RETRACT = new Edit(live(ONE), retracted(ONE));
  private static final Edit RESTORE = new Edit(retracted(ONE), live(ONE));

  private final OperationHistory operationHistory = new OperationHistory();

  private static State live(ConcernValue value) {
    return new State(Optional.of(value), Life.LIVE);
  }

  private static State retracted(ConcernValue value) {
    return new State(Optional.of(value), Life.RETRACTED);
  }

  private static Push push(ConcernValue expected, ConcernValue next) {
    return new Push(Optional.of(expected), next);
  }

  private static Seen seen(ConcernValue value) {
    return new Seen(Optional.of(value));
  }

  private static Advance advance(ConcernValue next) {
    return new Advance(next, ConcernChange.Bound.NEWER);
  }

  private void at(long invoked, long returned, Action action, Answer answer) {
    operationHistory.add(new Operation(HEAD, action, answer, invoked, returned));
  }

  private void assertFine() {
    assertThat(LinearizabilityChecker.check(operationHistory, register -> Optional.of(ONE)))
        .isEmpty();
  }

  private void assertFails(long invoked) {
    assertThat(
            LinearizabilityChecker.check(operationHistory, register -> Optional.of(ONE))
                .orElseThrow()
                .operation()
                .invoked())
        .isEqualTo(invoked);
  }

  @Test
  void anEditMayGoBack() {
    at(1, 2, push(ONE, THREE), new Done());
    at(3, 4, new Edit(live(THREE), live(BACK)), new Done());
    at(5, 6, push(BACK, TWO), new Done());
    at(7, 8, new Read(), seen(TWO));
    assertFine();
  }

  @Test
  void anEditOfWhatIsPastIsFound() {
    at(1, 2, push(ONE, TWO), new Done());
    at(3, 4, new Edit(live(ONE), live(BACK)), new Done());
    assertFails(3);
  }

  @Test
  void anEditThatGotLostIsFound() {
    at(1, 2, push(ONE, THREE), new Done());
    at(3, 4, new Edit(live(THREE), live(BACK)), new Done());
    at(5, 6, new Read(), seen(THREE));
    assertFails(5);
  }

  @Test
  void whatIsRetractedRefusesEveryChangeUntilItIsRestored() {
    at(1, 2, RETRACT, new Done());
    at(3, 4, push(ONE, TWO), new Refusal());
    at(5, 6, advance(TWO), new Refusal());
    at(7, 8, new Read(), seen(ONE));
    at(9, 10, RESTORE, new Done());
    at(11, 12, push(ONE, TWO), new Done());
    assertFine();
  }

  @Test
  void aChangeAfterARetractIsFound() {
    at(1, 2, RETRACT, new Done());
    at(3, 4, push(ONE, TWO), new Done());
    assertFails(3);
  }

  @Test
  void anAdvanceAfterARetractIsFound() {
    at(1, 2, RETRACT, new Done());
    at(3, 4, advance(TWO), new Done());
    assertFails(3);
  }

  @Test
  void aRefusalOfWhatIsLiveIsFound() {
    at(1, 2, RETRACT, new Done());
    at(3, 4, RESTORE, new Done());
    at(5, 6, push(ONE, TWO), new Refusal());
    assertFails(5);
  }

  @Test
  void aConflictWithWhatIsRetractedNamesItsValue() {
    at(1, 2, RETRACT, new Done());
    at(3, 4, push(THREE, TWO), new Conflict(Optional.of(ONE)));
    assertFine();
    at(5, 6, push(THREE, TWO), new Conflict(Optional.of(TWO)));
    assertFails(5);
  }

  @Test
  void anUnknownRetractMayHaveHappenedOrNot() {
    at(1, 2, RETRACT, new Unknown());
    at(3, 4, new Read(), seen(ONE));
    at(5, 6, push(ONE, TWO), new Refusal());
    at(7, 8, RESTORE, new Done());
    at(9, 10, push(ONE, TWO), new Done());
    assertFine();
    at(11, 12, push(TWO, THREE), new Refusal());
    assertFails(11);
  }

  /** Its record was looked at before the push, of which the edit needn't take notice. */
  @Test
  void anEditThatLeavesTheValueAloneSaysNothingOfIt() {
    at(1, 6, RETRACT, new Done());
    at(2, 3, push(ONE, TWO), new Done());
    at(4, 5, push(TWO, THREE), new Refusal());
    at(7, 8, new Read(), seen(TWO));
    assertFine();
    at(9, 10, RETRACT, new Done());
    assertFails(9);
  }

  @Test
  void anUnknownAdvanceMayHappenOnceTheRegisterWentBack() {
    at(1, 2, advance(TWO), new Unknown());
    at(3, 4, push(ONE, THREE), new Done());
    at(5, 6, new Edit(live(THREE), live(BACK)), new Done());
    at(7, 8, new Read(), seen(TWO));
    assertFine();
  }
}
