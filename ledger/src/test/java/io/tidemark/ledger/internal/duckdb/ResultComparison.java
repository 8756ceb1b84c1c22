// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.MatchedRow;
import java.util.List;
import java.util.Optional;

/** Compares answers: rows exactly, numbers by value, and those with a fraction nearly. */
final class ResultComparison {

  private static final double NEARLY = 1e-9;

  private ResultComparison() {}

  static Optional<String> differenceOfRows(List<MatchedRow> scan, List<MatchedRow> duckDb) {
    return scan.equals(duckDb)
        ? Optional.empty()
        : Optional.of("  scan   " + scan + "\n  DuckDB " + duckDb);
  }

  static Optional<String> difference(List<Group> scan, List<Group> duckDb) {
    boolean same = scan.size() == duckDb.size();
    for (int i = 0; same && i < scan.size(); i++) {
      same =
          same(scan.get(i).key(), duckDb.get(i).key())
              && same(scan.get(i).figures(), duckDb.get(i).figures());
    }
    return same ? Optional.empty() : Optional.of("  scan   " + scan + "\n  DuckDB " + duckDb);
  }

  private static boolean same(List<JsonNode> one, List<JsonNode> other) {
    for (int i = 0; i < one.size(); i++) {
      if (!same(one.get(i), other.get(i))) {
        return false;
      }
    }
    return one.size() == other.size();
  }

  private static boolean same(JsonNode one, JsonNode other) {
    if (!one.isNumber() || !other.isNumber()) {
      return one.equals(other);
    }
    if (!one.isDouble() && !other.isDouble()) {
      return one.decimalValue().compareTo(other.decimalValue()) == 0;
    }
    double a = one.doubleValue();
    double b = other.doubleValue();
    return a == b || Math.abs(a - b) <= NEARLY * (1 + Math.max(Math.abs(a), Math.abs(b)));
  }
}
