// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Register.State;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import io.tidemark.testkit.objects.Race;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RegisterTest {

  private static final Register.Format<Integer> NUMBER =
      Register.Format.of(
          found ->
              Optional.of(found.text()).filter(text -> text.matches("\\d+")).map(Integer::valueOf),
          String::valueOf);

  private final MemoryBackend memory = new MemoryBackend();
  private final FaultyBackend faulty = new FaultyBackend(memory);
  private final CountingBackend counting = new CountingBackend(faulty);
  private final FakeTime time = new FakeTime();
  private final ObjectStore store = new ObjectStore(counting, time.retry());
  private final Register<Integer> register = store.register("counter", NUMBER);

  private static Optional<Integer> plusOne(State<Integer> seen) {
    return Optional.of(seen.value().orElse(0) + 1);
  }

  private ETag another(String text) {
    WriteResult result =
        memory.put("counter", Body.of(text), Condition.none(), "another's attempt");
    return ((WriteResult.Written) result).etag();
  }

  @Test
  void anUpdateReadsOnceAndWritesOnce() {
    assertThat(register.update(RegisterTest::plusOne).value()).contains(1);
    assertThat(register.update(RegisterTest::plusOne)).isEqualTo(register.read());
    assertThat(register.read().value()).contains(2);
    assertThat(counting.requests().byOperation())
        .isEqualTo(Map.of(Operation.GET, 4L, Operation.PUT, 2L));
  }

  @Test
  void aKnownStateIsReplacedWithoutReadingIt() {
    State<Integer> known = register.update(State.absent(), RegisterTest::plusOne);
    assertThat(register.update(known, RegisterTest::plusOne).value()).contains(2);
    assertThat(counting.requests().byOperation()).isEqualTo(Map.of(Operation.PUT, 2L));
  }

  @Test
  void aChangeIsAppliedAgainToWhatAnotherHasWritten() {
    State<Integer> stale = register.update(RegisterTest::plusOne);
    another("7");
    assertThat(register.update(stale, RegisterTest::plusOne).value()).contains(8);
  }

  @Test
  void aChangeThatReturnsNothingWritesNothing() {
    ETag version = another("7");
    assertThat(register.update(seen -> Optional.empty()))
        .isEqualTo(new State<>(Optional.of(version), Optional.of(7)));
    assertThat(counting.requests().byOperation()).isEqualTo(Map.of(Operation.GET, 1L));
  }

  @Test
  void whatHasNoMeaningIsReplacedInTheVersionThatWasRead() {
    ETag version = another("garbage");
    assertThat(register.read()).isEqualTo(new State<>(Optional.of(version), Optional.empty()));
    assertThat(register.update(RegisterTest::plusOne).value()).contains(1);
  }

  @Test
  void aLimitedUpdateGivesUp() {
    State<Integer> stale = register.update(RegisterTest::plusOne);
    AtomicInteger calls = new AtomicInteger();
    Optional<State<Integer>> lost =
        register.tryUpdate(
            stale,
            2,
            seen -> {
              another(String.valueOf(100 + calls.incrementAndGet()));
              return Optional.of(1);
            });
    assertThat(lost).isEmpty();
    assertThat(calls).hasValue(3);
    assertThat(register.read().value()).contains(103);
  }

  @Test
  void anUpdateAmongWritersThatNeverPauseEndsWithItsBudget() {
    AtomicInteger calls = new AtomicInteger();
    assertThatThrownBy(
            () ->
                register.update(
                    seen -> {
                      another(String.valueOf(calls.incrementAndGet()));
                      return Optional.of(1);
                    }))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("counter");
    assertThat(time.elapsed().toSeconds()).isEqualTo(15);
  }

  @Test
  void aLostAnswerIsResolvedByTheBytesWhereAttemptsCannotTell() {
    another("7");
    faulty
        .next(Operation.PUT, BackendFault.loseAnswer())
        .always(Operation.HEAD, BackendFault.unavailable());
    assertThat(register.update(RegisterTest::plusOne).value()).contains(8);
    assertThat(register.read().value()).contains(8);
  }

  @Test
  void aWriteThatCannotBeToldThrows() {
    State<Integer> seen = register.update(RegisterTest::plusOne);
    faulty
        .next(Operation.PUT, BackendFault.loseRequest())
        .always(Operation.HEAD, BackendFault.unavailable());
    assertThatThrownBy(() -> register.write(seen, 5)).isInstanceOf(OutcomeUnknownException.class);
    assertThat(register.read().value()).contains(1);
  }

  @Test
  void aRefusalAlthoughTheConditionHoldsIsAskedAgain() {
    faulty.next(Operation.PUT, BackendFault.refuse());
    assertThat(register.write(State.absent(), 1)).isPresent();
    assertThat(counting.requests().byOperation()).isEqualTo(Map.of(Operation.PUT, 2L));
  }

  @Test
  void rivalsLoseNoIncrement() throws Exception {
    // Time of the machine: the pauses of one thread must not use up the budget of another.
    Retry retry =
        new Retry(
            Duration.ofMinutes(2),
            Duration.ofMillis(1),
            Duration.ofMillis(20),
            MonotonicTime.system());
    Register<Integer> contended = new ObjectStore(memory, retry).register("counter", NUMBER);
    Race.run(
        4,
        thread -> {
          for (int i = 0; i < 100; i++) {
            State<Integer> unused = contended.update(RegisterTest::plusOne);
          }
          return thread;
        });
    assertThat(contended.read().value()).contains(400);
  }
}
