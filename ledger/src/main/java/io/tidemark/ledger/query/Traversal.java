// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.query.TraversalResult.Step;
import io.tidemark.ledger.query.model.Fields;
import io.tidemark.ledger.query.model.InvalidQueryException;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.schema.Identity.RelationKey;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import io.tidemark.ledger.schema.TypeSchema.IdentityRule.Endpoints;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Traversal from rows along relations, by one query a hop for all rows together, all as of the same
 * commit. A relation is followed from its left end to its right one if the row is at its left end,
 * which includes a relation of a type to itself; else from right to left.
 */
public final class Traversal<T> {

  /** Maximum number of keys to look up; with more, all relations are read and then selected. */
  private static final int MOST_KEYS = 1_000;

  private final QueryEngine engine;
  private final QueryBuilder<T> source;
  private final List<TypeId> hops;

  Traversal(QueryEngine engine, QueryBuilder<T> source, List<TypeId> hops) {
    this.engine = engine;
    this.source = source;
    this.hops = hops;
    if (source.query().type().kind() == TypeKind.RELATION
        || source.query().temporal().isHistory()) {
      throw new InvalidQueryException(
          "relations are followed from entities in one state; begin with entities(..), without"
              + " history() and since()");
    }
  }

  /** Follows a further relation from the entities that are reached so far. */
  public Traversal<T> via(Class<? extends Record> relation) {
    return via(RecordType.of(relation).schema().id().name());
  }

  /** Follows a further relation from the entities that are reached so far. */
  public Traversal<T> via(String relation) {
    List<TypeId> more = new ArrayList<>(hops);
    more.add(TypeId.relation(relation));
    return new Traversal<>(engine, source, more);
  }

  /** Returns the result for every row, also for a row that no relation leads from. */
  public List<TraversalResult<T>> list() {
    PinnedHead pinnedHead = engine.pin();
    List<ResultRow<T>> sources;
    try (Stream<ResultRow<T>> rows = source.stream(pinnedHead)) {
      sources = rows.toList();
    }
    Set<String> keys = new TreeSet<>();
    sources.forEach(resultRow -> keys.add(resultRow.meta().identity().toString()));
    Map<String, List<Step>> steps = steps(pinnedHead, source.query().type().name(), keys, 0);
    return sources.stream()
        .map(
            resultRow ->
                new TraversalResult<>(
                    resultRow,
                    steps.getOrDefault(resultRow.meta().identity().toString(), List.of())))
        .toList();
  }

  /**
   * Returns the types on the way, those of the source rows included, with rows that were written
   * under another version of their schema than the one they are shown in, and the number of these
   * rows. As in {@link QueryBuilder#versions()}, rows that no path leads to count too.
   */
  public List<VersionMix> versions() {
    PinnedHead pinnedHead = engine.pin();
    Set<VersionMix> mixes = new LinkedHashSet<>(source.versions(pinnedHead));
    String from = source.query().type().name();
    for (TypeId relation : hops) {
      Optional<TypeView> view = engine.find(relation, pinnedHead, source.query().temporal());
      if (view.isEmpty()) {
        break; // nothing behind it is reached
      }
      Endpoints ends = (Endpoints) view.get().schema().identity();
      Query query = Query.of(relation).withTemporal(source.query().temporal()).withEnds();
      QueryPlan queryPlan = engine.plan(pinnedHead, query, Optional.empty(), Optional.empty());
      mixes.addAll(engine.versions(queryPlan, pinnedHead, source.cancellation()));
      from = near(relation, ends, from) == Side.LEFT ? ends.rightType() : ends.leftType();
    }
    return List.copyOf(mixes);
  }

  /** Returns the relations of one hop and all after it, by the key that they lead from. */
  private Map<String, List<Step>> steps(
      PinnedHead pinnedHead, String from, Set<String> keys, int hop) {
    if (hop == hops.size() || keys.isEmpty()) {
      return Map.of();
    }
    TypeId relation = hops.get(hop);
    Optional<TypeView> view = engine.find(relation, pinnedHead, source.query().temporal());
    if (view.isEmpty()) {
      return Map.of(); // no row of a type that the ledger doesn't have leads anywhere
    }
    Endpoints ends = (Endpoints) view.get().schema().identity();
    Side near = near(relation, ends, from);
    List<ResultRow<ObjectNode>> found = relations(pinnedHead, relation, near, keys);
    Set<String> farKeys =
        found.stream()
            .map(resultRow -> key(resultRow, near == Side.LEFT ? Side.RIGHT : Side.LEFT))
            .collect(Collectors.toCollection(TreeSet::new));
    String farType = near == Side.LEFT ? ends.rightType() : ends.leftType();
    Map<String, List<Step>> next = steps(pinnedHead, farType, farKeys, hop + 1);
    Map<String, List<Step>> steps = new HashMap<>();
    for (ResultRow<ObjectNode> resultRow : found) {
      String far = key(resultRow, near == Side.LEFT ? Side.RIGHT : Side.LEFT);
      Optional<RelationEnd> end = near == Side.LEFT ? resultRow.right() : resultRow.left();
      steps
          .computeIfAbsent(key(resultRow, near), k -> new ArrayList<>())
          .add(new Step(resultRow, end, next.getOrDefault(far, List.of())));
    }
    return steps;
  }

  private static Side near(TypeId relation, Endpoints ends, String from) {
    if (ends.leftType().equals(from)) {
      return Side.LEFT;
    }
    if (ends.rightType().equals(from)) {
      return Side.RIGHT;
    }
    throw new InvalidQueryException(
        relation
            + " leads from "
            + ends.leftType()
            + " to "
            + ends.rightType()
            + " and not from "
            + from
            + "; name a relation that has it at one of its ends");
  }

  private List<ResultRow<ObjectNode>> relations(
      PinnedHead pinnedHead, TypeId relation, Side near, Set<String> keys) {
    Query query = Query.of(relation).withTemporal(source.query().temporal()).withEnds();
    if (keys.size() <= MOST_KEYS) {
      MetaField key = near == Side.LEFT ? MetaField.LEFT : MetaField.RIGHT;
      query = query.where(Fields.meta(key).in(keys));
    }
    QueryPlan queryPlan = engine.plan(pinnedHead, query, Optional.empty(), Optional.empty());
    try (Stream<ResultRow<ObjectNode>> hits =
        engine
            .executor(queryPlan, pinnedHead, source.cancellation())
            .rows(queryPlan)
            .peek(matchedRow -> source.cancellation().throwIfCancelled())
            .map(matchedRow -> ResultMapper.row(queryPlan, matchedRow, ResultMapper::fields))) {
      return hits.filter(resultRow -> keys.contains(key(resultRow, near))).toList();
    }
  }

  private static String key(ResultRow<ObjectNode> resultRow, Side side) {
    RelationKey key = (RelationKey) resultRow.meta().identity();
    return side == Side.LEFT ? key.left() : key.right();
  }
}
