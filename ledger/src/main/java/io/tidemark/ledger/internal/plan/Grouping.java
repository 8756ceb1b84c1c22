// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.plan;

import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.Operand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rule by which rows become figures.
 *
 * @param by rows that are equal in all of these are a group; none for one figure about all rows
 * @param aggregates the figures by their names, in their order
 * @param having which groups count
 */
public record Grouping(
    List<Operand> by, Map<String, Aggregate> aggregates, Optional<Having> having) {

  /** Condition that holds for a group whose figure compares so. */
  public record Having(Aggregate aggregate, Comparison comparison, Literal value) {}

  public Grouping {
    by = List.copyOf(by);
    aggregates = Collections.unmodifiableMap(new LinkedHashMap<>(aggregates));
    if (aggregates.isEmpty() && by.isEmpty()) {
      throw new InvalidQueryException("no figure is asked for; name at least one, such as count()");
    }
    for (String name : keyNames(by)) {
      if (aggregates.containsKey(name)) {
        throw new InvalidQueryException(
            "\""
                + name
                + "\" is the name of a figure and of what is grouped by; give the figure"
                + " another name");
      }
    }
  }

  /** Returns the grouping for one figure about all rows. */
  public static Grouping of(Aggregate aggregate) {
    return new Grouping(List.of(), Map.of("value", aggregate), Optional.empty());
  }

  /** Returns the name of each part of a group's key. */
  public List<String> keyNames() {
    return keyNames(by);
  }

  /** Returns dotted paths, without their sides unless these are needed to tell two apart. */
  private static List<String> keyNames(List<Operand> by) {
    List<String> names = new ArrayList<>();
    for (Operand operand : by) {
      names.add(operand instanceof FieldPath path ? path.dotted() : operand.toString());
    }
    for (int i = 0; i < names.size(); i++) {
      if (Collections.frequency(names, names.get(i)) > 1) {
        return by.stream().map(Operand::toString).toList();
      }
    }
    return names;
  }
}
