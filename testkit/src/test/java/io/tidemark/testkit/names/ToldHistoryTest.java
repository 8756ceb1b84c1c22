// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.testkit.names.History.Action;
import io.tidemark.testkit.names.History.Advance;
import io.tidemark.testkit.names.History.Answer;
import io.tidemark.testkit.names.History.Conflict;
import io.tidemark.testkit.names.History.Done;
import io.tidemark.testkit.names.History.Edit;
import io.tidemark.testkit.names.History.Life;
import io.tidemark.testkit.names.History.Operation;
import io.tidemark.testkit.names.History.Push;
import io.tidemark.testkit.names.History.Read;
import io.tidemark.testkit.names.History.Refusal;
import io.tidemark.testkit.names.History.Register;
import io.tidemark.testkit.names.History.Seen;
import io.tidemark.testkit.names.History.State;
import io.tidemark.testkit.names.History.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ToldHistoryTest {
  private static final Register STATUS = new Register(Samples.MYDB, Concern.STATUS);
  private static final Register INDEX = new Register(Samples.DEV, Concern.INDEX);
  private static final ConcernValue NEXT = Samples.value(9_007_199_254_740_993L, "{'a':[1,null]}");

  private static final Edit EDIT =
      new Edit(
          new State(Optional.of(ConcernValue.UNBORN), Life.LIVE),
          new State(Optional.of(NEXT), Life.RETRACTED));

  private final List<String> lines = new ArrayList<>();
  private final ToldHistory.Teller teller = new ToldHistory.Teller(lines::add);
  private final History history = new History();

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
            operation(INDEX, new Advance(NEXT, Change.Bound.NEWER), new Done()),
            operation(INDEX, new Advance(NEXT, Change.Bound.NEWER_OR_EQUAL), new Unknown()),
            operation(INDEX, EDIT, new Done()),
            operation(INDEX, new Advance(NEXT, Change.Bound.NEWER), new Refusal()));
    told.forEach(operation -> teller.end(7, operation));
    assertThat(ToldHistory.addTo(history, lines)).isZero();
    assertThat(history.operations()).containsExactlyElementsOf(told);
  }

  @Test
  void anAnswerEndsTheChangeThatItsClientHadBegun() {
    Push push = new Push(Optional.of(Samples.READY), NEXT);
    teller.begin(1, STATUS, push, -5);
    teller.begin(2, STATUS, push, -4);
    teller.end(1, operation(STATUS, push, new Done()));
    teller.withdraw(2);
    assertThat(ToldHistory.addTo(history, lines)).isZero();
    assertThat(history.operations()).containsExactly(operation(STATUS, push, new Done()));
  }

  @Test
  void aChangeWithoutAnAnswerIsUnknown() {
    Push push = new Push(Optional.of(Samples.READY), NEXT);
    teller.begin(1, STATUS, push, 3);
    teller.begin(2, INDEX, new Advance(NEXT, Change.Bound.NEWER), 4);
    assertThat(ToldHistory.addTo(history, lines)).isEqualTo(2);
    assertThat(history.operations())
        .containsExactlyInAnyOrder(
            new Operation(STATUS, push, new Unknown(), 3, 0),
            new Operation(INDEX, new Advance(NEXT, Change.Bound.NEWER), new Unknown(), 4, 0));
  }

  /** An edit is told a line a register, and its process may be killed between two of them. */
  @Test
  void ofAnEditWhatWasNotAnsweredYetIsUnknown() {
    teller.begin(1, STATUS, EDIT, 3);
    teller.begin(1, INDEX, EDIT, 3);
    teller.end(1, operation(STATUS, EDIT, new Done()));
    assertThat(ToldHistory.addTo(history, lines)).isEqualTo(1);
    assertThat(history.operations())
        .containsExactlyInAnyOrder(
            operation(STATUS, EDIT, new Done()), new Operation(INDEX, EDIT, new Unknown(), 3, 0));
  }

  @Test
  void anEditThatIsDecidedAnewIsTheLastDecision() {
    Edit other = new Edit(/* before= */ EDIT.after(), /* after= */ EDIT.before());
    teller.begin(1, STATUS, EDIT, 3);
    teller.begin(1, INDEX, EDIT, 3);
    teller.withdraw(1);
    teller.begin(1, STATUS, other, 3);
    assertThat(ToldHistory.addTo(history, lines)).isEqualTo(1);
    assertThat(history.operations())
        .containsExactly(new Operation(STATUS, other, new Unknown(), 3, 0));
  }

  @Test
  void whatIsntALineOfAHistoryIsRefused() {
    assertThatThrownBy(() -> ToldHistory.addTo(history, List.of("!{")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a line of a history: {");
    assertThatThrownBy(() -> ToldHistory.addTo(history, List.of("x{}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a line of a history: x{}");
  }
}
