// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RemoteHistoryTest {
  private static final Register STATUS = new Register(Samples.MYDB, Concern.STATUS);
  private static final Register INDEX = new Register(Samples.DEV, Concern.INDEX);
  private static final ConcernValue NEXT = Samples.value(9_007_199_254_740_993L, "{'a':[1,null]}");

  private static final Edit EDIT =
      new Edit(
          new State(Optional.of(ConcernValue.UNBORN), Life.LIVE),
          new State(Optional.of(NEXT), Life.RETRACTED));

  private final List<String> lines = new ArrayList<>();
  private final RemoteHistory.Reporter reporter = new RemoteHistory.Reporter(lines::add);
  private final OperationHistory operationHistory = new OperationHistory();

  private static Operation operation(Register register, Action action, Answer answer) {
    return new Operation(register, action, answer, -5, Long.MAX_VALUE);
  }

  @Test
  void everythingArrivesAsItWasTold() {
    List<Operation> told =
        List.of(
            operation(STATUS, new Read(), new Seen(Optional.of(NEXT))),
            operation(STATUS, new Read(), new Seen(Optional.empty())),
            operation(STATUS, new Read(), new Seen(Optional.of(ConcernValue.UNBORN))),
            operation(STATUS, new Push(Optional.of(ConcernValue.UNBORN), NEXT), new Done()),
            operation(STATUS, new Push(Optional.empty(), NEXT), new Conflict(Optional.of(NEXT))),
            operation(
                STATUS,
                new Push(Optional.of(Samples.READY), Samples.cleared(3)),
                new Conflict(Optional.empty())),
            operation(INDEX, new Advance(NEXT, ConcernChange.Bound.NEWER), new Done()),
            operation(INDEX, new Advance(NEXT, ConcernChange.Bound.NEWER_OR_EQUAL), new Unknown()),
            operation(INDEX, EDIT, new Done()),
            operation(INDEX, new Advance(NEXT, ConcernChange.Bound.NEWER), new Refusal()));
    told.forEach(operation -> reporter.end(7, operation));
    assertThat(RemoteHistory.addTo(operationHistory, lines)).isZero();
    assertThat(operationHistory.operations()).containsExactlyElementsOf(told);
  }

  @Test
  void anAnswerEndsTheChangeThatItsClientHadBegun() {
    Push push = new Push(Optional.of(Samples.READY), NEXT);
    reporter.begin(1, STATUS, push, -5);
    reporter.begin(2, STATUS, push, -4);
    reporter.end(1, operation(STATUS, push, new Done()));
    reporter.withdraw(2);
    assertThat(RemoteHistory.addTo(operationHistory, lines)).isZero();
    assertThat(operationHistory.operations()).containsExactly(operation(STATUS, push, new Done()));
  }

  @Test
  void aChangeWithoutAnAnswerIsUnknown() {
    Push push = new Push(Optional.of(Samples.READY), NEXT);
    reporter.begin(1, STATUS, push, 3);
    reporter.begin(2, INDEX, new Advance(NEXT, ConcernChange.Bound.NEWER), 4);
    assertThat(RemoteHistory.addTo(operationHistory, lines)).isEqualTo(2);
    assertThat(operationHistory.operations())
        .containsExactlyInAnyOrder(
            new Operation(STATUS, push, new Unknown(), 3, 0),
            new Operation(
                INDEX, new Advance(NEXT, ConcernChange.Bound.NEWER), new Unknown(), 4, 0));
  }

  /** An edit is told a line a register, and its process may be killed between two of them. */
  @Test
  void ofAnEditWhatWasNotAnsweredYetIsUnknown() {
    reporter.begin(1, STATUS, EDIT, 3);
    reporter.begin(1, INDEX, EDIT, 3);
    reporter.end(1, operation(STATUS, EDIT, new Done()));
    assertThat(RemoteHistory.addTo(operationHistory, lines)).isEqualTo(1);
    assertThat(operationHistory.operations())
        .containsExactlyInAnyOrder(
            operation(STATUS, EDIT, new Done()), new Operation(INDEX, EDIT, new Unknown(), 3, 0));
  }

  @Test
  void anEditThatIsDecidedAnewIsTheLastDecision() {
    Edit other = new Edit(/* before= */ EDIT.after(), /* after= */ EDIT.before());
    reporter.begin(1, STATUS, EDIT, 3);
    reporter.begin(1, INDEX, EDIT, 3);
    reporter.withdraw(1);
    reporter.begin(1, STATUS, other, 3);
    assertThat(RemoteHistory.addTo(operationHistory, lines)).isEqualTo(1);
    assertThat(operationHistory.operations())
        .containsExactly(new Operation(STATUS, other, new Unknown(), 3, 0));
  }

  @Test
  void whatIsntALineOfAHistoryIsRefused() {
    assertThatThrownBy(() -> RemoteHistory.addTo(operationHistory, List.of("!{")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a line of a history: {");
    assertThatThrownBy(() -> RemoteHistory.addTo(operationHistory, List.of("x{}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a line of a history: x{}");
  }
}
