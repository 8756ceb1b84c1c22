// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ledger.internal.plan.Group;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.Grouping.Having;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Fields;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.plan.Explanation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builder of a query for aggregates of groups of rows. */
public final class GroupBuilder {

  /** Source of the rows that are grouped. */
  interface GroupSource {
    List<GroupRow> groups(Grouping grouping);

    Explanation explain(Grouping grouping);
  }

  private final GroupSource groupSource;
  private final List<Operand> by;
  private final Optional<Having> having;

  private GroupBuilder(GroupSource groupSource, List<Operand> by, Optional<Having> having) {
    this.groupSource = groupSource;
    this.by = by;
    this.having = having;
  }

  static GroupBuilder of(GroupSource groupSource, List<String> paths) {
    if (paths.isEmpty()) {
      throw new InvalidQueryException("nothing to group by was named; name at least one path");
    }
    return new GroupBuilder(
        groupSource, paths.stream().map(Fields::operand).toList(), Optional.empty());
  }

  /** Keeps only groups whose aggregate compares in this way with a number. */
  public GroupBuilder having(Aggregate aggregate, Comparison comparison, Number value) {
    return having(aggregate, comparison, new Literal.Num(new BigDecimal(value.toString())));
  }

  /** Keeps only groups whose aggregate compares in this way with a text. */
  public GroupBuilder having(Aggregate aggregate, Comparison comparison, String value) {
    return having(aggregate, comparison, new Literal.Text(value));
  }

  private GroupBuilder having(Aggregate aggregate, Comparison comparison, Literal value) {
    if (having.isPresent()) {
      throw new InvalidQueryException("groups are held to one figure only; leave one out");
    }
    return new GroupBuilder(groupSource, by, Optional.of(new Having(aggregate, comparison, value)));
  }

  /** Returns the groups with their aggregates, each by its name, in the order of their keys. */
  public List<GroupRow> agg(Map<String, Aggregate> figures) {
    return groupSource.groups(new Grouping(by, figures, having));
  }

  /** Returns how the groups would be found. */
  public Explanation explain(Map<String, Aggregate> figures) {
    return groupSource.explain(new Grouping(by, figures, having));
  }

  static List<GroupRow> named(Grouping grouping, List<Group> groups) {
    List<GroupRow> rows = new ArrayList<>();
    for (Group group : groups) {
      rows.add(
          new GroupRow(
              named(grouping.keyNames(), group.key()),
              named(List.copyOf(grouping.aggregates().keySet()), group.figures())));
    }
    return rows;
  }

  private static Map<String, JsonNode> named(List<String> names, List<JsonNode> values) {
    Map<String, JsonNode> named = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      named.put(names.get(i), values.get(i));
    }
    return named;
  }
}
