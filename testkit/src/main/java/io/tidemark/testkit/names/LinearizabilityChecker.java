// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.ConcernValue;
import io.tidemark.testkit.names.OperationHistory.Operation;
import io.tidemark.testkit.names.OperationHistory.Register;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds out whether a history can be explained by operations that each took place at one moment
 * between its question and its answer.
 *
 * <p>Registers are independent, so each is searched by itself. The search goes through a register's
 * questions and answers in the order of time and carries along every <i>world</i> that is still
 * possible: a state, and which of the operations under way have taken place in it already. A
 * question adds an operation under way. An answer leaves only worlds in which that operation has
 * taken place; those where it hasn't are continued by every order of operations under way that ends
 * with it. If none is left, the answer can't be explained.
 *
 * <p>Two things keep the worlds few. Operations that change nothing, reads and conflicts, take
 * place in the first state that fits, which excludes nothing. And when nothing is under way all
 * that is left of a world is its state, so the past needs no remembering.
 *
 * <p>An edit is of several registers at once. In each it is looked at by itself, as a step from
 * what it was decided about to what became of that, so an edit that is torn apart is found only
 * where one of the registers can't be explained.
 *
 * <p>An operation whose outcome is unknown has no answer, so it stays under way: worlds fork into
 * those where it takes place sometime and those where it doesn't. It is forgotten as soon as it
 * can't take place any more, since the watermark has passed it in every world. Where edits move the
 * watermark back, and when it is an edit that leaves the value alone, it may take place as long as
 * the history lasts; so such a history should have few unknown outcomes.
 */
public final class LinearizabilityChecker {

  /**
   * An answer that can't be explained.
   *
   * @param operation the operation that was answered so
   * @param states what the register may have been just before the answer
   * @param before what was answered last before it
   */
  public record Violation(
      Operation operation, List<Optional<ConcernValue>> states, List<Operation> before) {

    @Override
    public String toString() {
      String past = before.stream().map(o -> "\n  " + o).collect(Collectors.joining());
      return "can't be explained: " + operation + "\nstates: " + states + "\nbefore it:" + past;
    }
  }

  private LinearizabilityChecker() {}

  /**
   * Checks every register.
   *
   * @param initial what a register was in the beginning; empty when there was no such record
   * @return the first answer that can't be explained; empty when all is well
   */
  public static Optional<Violation> check(
      OperationHistory operationHistory, Function<Register, Optional<ConcernValue>> initial) {
    Map<Register, List<Operation>> byRegister =
        operationHistory.operations().stream()
            .collect(
                Collectors.groupingBy(
                    Operation::register, LinkedHashMap::new, Collectors.toList()));
    for (Map.Entry<Register, List<Operation>> entry : byRegister.entrySet()) {
      Optional<Violation> violation =
          new RegisterSearch(entry.getKey(), initial.apply(entry.getKey()))
              .search(entry.getValue());
      if (violation.isPresent()) {
        return violation;
      }
    }
    return Optional.empty();
  }
}
