// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query.model;

import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Query of one type.
 *
 * @param limit maximum number of rows; empty for all
 * @param offset number of rows to skip
 * @param after cursor of the row behind which the query begins
 * @param ends the ends of a relation whose entities are added to each row
 */
public record Query(
    TypeId type,
    Filter filter,
    List<SortKey> orders,
    OptionalLong limit,
    long offset,
    Optional<Cursor> after,
    TemporalScope temporal,
    Set<Side> ends) {

  public Query {
    orders = List.copyOf(orders);
    ends = Set.copyOf(ends);
    if (limit.isPresent() && limit.getAsLong() < 0) {
      throw new InvalidQueryException(
          "the limit is " + limit.getAsLong() + "; take 0 or more, or leave it out for all rows");
    }
    if (offset < 0) {
      throw new InvalidQueryException("the offset is " + offset + "; take 0 or more");
    }
    if (type.kind() == TypeKind.ENTITY) {
      requireNoEnds(type, filter, orders, ends);
    }
  }

  /** Returns the query for all current rows of a type. */
  public static Query of(TypeId type) {
    return new Query(
        type,
        Filter.all(),
        List.of(),
        OptionalLong.empty(),
        0,
        Optional.empty(),
        TemporalScope.LATEST,
        Set.of());
  }

  private static void requireNoEnds(
      TypeId type, Filter filter, List<SortKey> orders, Set<Side> ends) {
    boolean looks = !ends.isEmpty();
    for (Side side : new Side[] {Side.LEFT, Side.RIGHT}) {
      looks |= FilterTrees.references(filter, side);
      looks |=
          orders.stream()
              .anyMatch(o -> o.operand() instanceof FieldPath path && path.side() == side);
    }
    if (looks) {
      throw new InvalidQueryException(
          type + " has no ends to look at with left or right; only relations have");
    }
  }

  /** Returns the query with a further condition. */
  public Query where(Filter more) {
    List<Filter> parts = new ArrayList<>();
    parts.addAll(filter instanceof Filter.And and ? and.parts() : List.of(filter));
    parts.add(more);
    return new Query(type, new Filter.And(parts), orders, limit, offset, after, temporal, ends);
  }

  /** Returns the query with a further sort key, after the present ones. */
  public Query orderBy(SortKey sortKey) {
    List<SortKey> more = new ArrayList<>(orders);
    more.add(sortKey);
    return new Query(type, filter, more, limit, offset, after, temporal, ends);
  }

  public Query limit(long rows) {
    return new Query(type, filter, orders, OptionalLong.of(rows), offset, after, temporal, ends);
  }

  public Query offset(long rows) {
    return new Query(type, filter, orders, limit, rows, after, temporal, ends);
  }

  public Query after(Cursor cursor) {
    return new Query(type, filter, orders, limit, offset, Optional.of(cursor), temporal, ends);
  }

  public Query withTemporal(TemporalScope other) {
    return new Query(type, filter, orders, limit, offset, after, other, ends);
  }

  public Query withEnds() {
    return withEnds(Set.of(Side.LEFT, Side.RIGHT));
  }

  /** Returns the query with these ends beside the present ones. */
  public Query withEnds(Set<Side> more) {
    Set<Side> all = new HashSet<>(ends);
    all.addAll(more);
    return new Query(type, filter, orders, limit, offset, after, temporal, all);
  }
}
