// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.MatchedRow;
import io.tidemark.ledger.internal.plan.QueryPlan;
import io.tidemark.ledger.internal.plan.ReferencedSides;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.internal.scan.CursorFactory;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.Cursor;
import io.tidemark.ledger.query.model.Fields;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.SortKey;
import io.tidemark.ledger.query.model.SortKey.Direction;
import io.tidemark.ledger.query.model.TemporalScope.Moment;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.query.plan.Explanation;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.Row;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Immutable builder of a query. Each step returns a new builder and leaves this one as it is.
 * Errors are {@link io.tidemark.ledger.query.model.InvalidQueryException}s, thrown before anything
 * is read: by the step if the query is invalid in any ledger, at the end if it is invalid in this
 * one.
 *
 * @param <T> a record, or {@link ObjectNode}
 */
public final class QueryBuilder<T> {

  private final QueryEngine engine;
  private final Query query;
  private final Optional<TypeSchema> declared;
  private final Function<Row, T> value;
  private final CancellationToken cancellationToken;

  private QueryBuilder(
      QueryEngine engine,
      Query query,
      Optional<TypeSchema> declared,
      Function<Row, T> value,
      CancellationToken cancellationToken) {
    this.engine = engine;
    this.query = query;
    this.declared = declared;
    this.value = value;
    this.cancellationToken = cancellationToken;
  }

  static <T extends Record> QueryBuilder<T> of(QueryEngine engine, RecordType<T> type) {
    return new QueryBuilder<>(
        engine,
        Query.of(type.schema().id()),
        Optional.of(type.schema()),
        row -> type.value(row.identity(), row.fieldsJson()),
        new CancellationToken());
  }

  static QueryBuilder<ObjectNode> of(QueryEngine engine, TypeId type) {
    return new QueryBuilder<>(
        engine, Query.of(type), Optional.empty(), ResultMapper::fields, new CancellationToken());
  }

  private QueryBuilder<T> with(Query other) {
    return new QueryBuilder<>(engine, other, declared, value, cancellationToken);
  }

  /** Adds a condition that rows have to meet. */
  public QueryBuilder<T> where(Filter filter) {
    declared.ifPresent(type -> DeclaredPathCheck.check(type, filter));
    return with(query.where(filter));
  }

  /** Orders the rows by a path, such as {@code age} or {@code left.tier}. */
  public QueryBuilder<T> orderBy(String path) {
    return orderBy(path, Direction.ASCENDING);
  }

  /** Orders the rows by a path, after any order that was given before. */
  public QueryBuilder<T> orderBy(String path, Direction direction) {
    return with(query.orderBy(new SortKey(Fields.operand(path), direction)));
  }

  /** Sets the maximum number of rows. */
  public QueryBuilder<T> limit(long rows) {
    return with(query.limit(rows));
  }

  /** Skips this number of rows. */
  public QueryBuilder<T> offset(long rows) {
    return with(query.offset(rows));
  }

  /** Begins behind the last row of an earlier page of this very query, as of the same commit. */
  public QueryBuilder<T> after(Cursor cursor) {
    return with(query.after(cursor));
  }

  /** Queries the state as of a commit; as of the newest one if there is none of that id yet. */
  public QueryBuilder<T> asOf(long commitId) {
    return with(query.withTemporal(query.temporal().asOf(new Moment.AtCommit(commitId))));
  }

  /** Queries the state as of a time, by the clocks of the writers. */
  public QueryBuilder<T> asOf(Instant time) {
    return with(query.withTemporal(query.temporal().asOf(new Moment.AtTime(time))));
  }

  /**
   * Shows rows in the schema that the type had at a commit, instead of the current one. Types at
   * the ends of relations are shown in their schemas of that commit too.
   */
  public QueryBuilder<T> inSchemaOf(long commitId) {
    return inSchemaOf(new Moment.AtCommit(commitId));
  }

  /** Shows rows in the schemas that types had at a moment. */
  public QueryBuilder<T> inSchemaOf(Moment moment) {
    return with(query.withTemporal(query.temporal().inSchemaOf(moment)));
  }

  /** Shows rows in the schemas of the moment that the query is as of. */
  public QueryBuilder<T> inSchemaOfThen() {
    return inSchemaOf(query.temporal().upTo());
  }

  /** Returns the schema that rows are shown in, or empty if the ledger doesn't have the type. */
  public Optional<TypeSchema> schema() {
    return engine.find(query.type(), engine.pin(), query.temporal()).map(TypeView::schema);
  }

  /** Queries every version of every row, in the order of commits. */
  public QueryBuilder<T> history() {
    return since(0);
  }

  /** Queries every version that was written after a commit. */
  public QueryBuilder<T> since(long commitId) {
    return with(query.withTemporal(query.temporal().since(commitId)));
  }

  /** Adds the entities at both ends of a relation to each row. */
  public QueryBuilder<T> withEnds() {
    return with(query.withEnds());
  }

  /**
   * Sets the token that cancels this query, also while its answer is read or relations are
   * followed.
   */
  public QueryBuilder<T> cancelledBy(CancellationToken ending) {
    return new QueryBuilder<>(engine, query, declared, value, ending);
  }

  /** Follows a relation from the rows. */
  public Traversal<T> via(Class<? extends Record> relation) {
    return via(RecordType.of(relation).schema().id().name());
  }

  /** Follows a relation from the rows. */
  public Traversal<T> via(String relation) {
    return new Traversal<>(engine, this, List.of(TypeId.relation(relation)));
  }

  /**
   * Returns all rows. Every processor maps some of them, since that takes longer than finding them.
   * So several threads call constructors of records, now and then twice for a row.
   */
  public List<ResultRow<T>> list() {
    PinnedHead pinnedHead = engine.pin();
    QueryPlan queryPlan = engine.plan(pinnedHead, query, Optional.empty(), declared);
    try (Stream<MatchedRow> rows = rows(pinnedHead, queryPlan)) {
      return ParallelMap.map(rows, matchedRow -> ResultMapper.row(queryPlan, matchedRow, value));
    }
  }

  /** Returns the rows one by one; the caller closes the stream. */
  public Stream<ResultRow<T>> stream() {
    return stream(engine.pin());
  }

  Stream<ResultRow<T>> stream(PinnedHead pinnedHead) {
    QueryPlan queryPlan = engine.plan(pinnedHead, query, Optional.empty(), declared);
    return rows(pinnedHead, queryPlan)
        .map(matchedRow -> ResultMapper.row(queryPlan, matchedRow, value));
  }

  /**
   * Rows as of a commit.
   *
   * @param hits closed by the caller
   */
  public record Rows<T>(long commitId, Stream<ResultRow<T>> hits) {}

  /** Returns the rows one by one, with the commit that they are as of. */
  public Rows<T> rows() {
    PinnedHead pinnedHead = engine.pin();
    QueryPlan queryPlan = engine.plan(pinnedHead, query, Optional.empty(), declared);
    return new Rows<>(
        queryPlan.window().upper(),
        rows(pinnedHead, queryPlan)
            .map(matchedRow -> ResultMapper.row(queryPlan, matchedRow, value)));
  }

  private Stream<MatchedRow> rows(PinnedHead pinnedHead, QueryPlan queryPlan) {
    return engine
        .executor(queryPlan, pinnedHead, cancellationToken)
        .rows(queryPlan)
        .peek(matchedRow -> cancellationToken.throwIfCancelled());
  }

  /** Returns the first row, or empty if there is none. */
  public Optional<ResultRow<T>> first() {
    long most = Math.min(1, query.limit().orElse(1));
    return limit(most).list().stream().findFirst();
  }

  /**
   * Returns the rows up to the limit, and the cursor of the next page. All pages are as of the
   * first one's commit.
   */
  public ResultPage<T> page() {
    PinnedHead pinnedHead = engine.pin();
    long head =
        query
            .after()
            .map(cursor -> Math.min(cursor.headId(), pinnedHead.head().commitId()))
            .orElse(pinnedHead.head().commitId());
    long limit = query.limit().orElse(Long.MAX_VALUE);
    // The cursor has the values that rows are ordered by, those of their ends among them.
    Query more =
        limit < Long.MAX_VALUE
            ? query.limit(limit + 1).withEnds(ReferencedSides.ofOrder(query))
            : query;
    QueryPlan queryPlan = engine.plan(pinnedHead, more, Optional.empty(), declared);
    List<MatchedRow> found;
    try (Stream<MatchedRow> rows = rows(pinnedHead, queryPlan)) {
      found = new ArrayList<>(rows.toList());
    }
    Optional<Cursor> next = Optional.empty();
    if (found.size() > limit) {
      found.remove(found.size() - 1);
      next =
          limit == 0
              ? Optional.empty()
              : Optional.of(CursorFactory.of(queryPlan, found.get(found.size() - 1), head));
    }
    return new ResultPage<>(
        found.stream()
            .map(row -> ResultMapper.row(queryPlan, row.withEnds(query.ends()), value))
            .toList(),
        queryPlan.window().upper(),
        next);
  }

  /** Returns the number of rows. */
  public long count() {
    return aggregate(Aggregate.count()).asLong();
  }

  /** Returns the number of rows that meet a condition. */
  public long countWhere(Filter filter) {
    return where(filter).count();
  }

  /** Returns the sum of numbers, or JSON null if there are none. */
  public JsonNode sum(String path) {
    return aggregate(Aggregate.sum(path));
  }

  /** Returns the average of numbers, or JSON null if there are none. */
  public JsonNode avg(String path) {
    return aggregate(Aggregate.avg(path));
  }

  /** Returns the least value, or JSON null if there is none. */
  public JsonNode min(String path) {
    return aggregate(Aggregate.min(path));
  }

  /** Returns the greatest value, or JSON null if there is none. */
  public JsonNode max(String path) {
    return aggregate(Aggregate.max(path));
  }

  /** Returns the average length of lists, or JSON null if there are none. */
  public JsonNode avgLen(String path) {
    return aggregate(Aggregate.avgLen(path));
  }

  private JsonNode aggregate(Aggregate aggregate) {
    return groups(Grouping.of(aggregate)).get(0).figures().values().iterator().next();
  }

  /** Returns several aggregates of all rows, each by its name. */
  public Map<String, JsonNode> aggregates(Map<String, Aggregate> figures) {
    return groups(new Grouping(List.of(), figures, Optional.empty())).get(0).figures();
  }

  /** Groups rows by the values of these paths. */
  public GroupBuilder groupBy(String... paths) {
    GroupBuilder.GroupSource groupSource =
        new GroupBuilder.GroupSource() {
          @Override
          public List<GroupRow> groups(Grouping grouping) {
            return QueryBuilder.this.groups(grouping);
          }

          @Override
          public Explanation explain(Grouping grouping) {
            return QueryBuilder.this.explain(Optional.of(grouping));
          }
        };
    return GroupBuilder.of(groupSource, List.of(paths));
  }

  private List<GroupRow> groups(Grouping grouping) {
    PinnedHead pinnedHead = engine.pin();
    QueryPlan queryPlan = engine.plan(pinnedHead, query, Optional.of(grouping), declared);
    return GroupBuilder.named(
        grouping, engine.executor(queryPlan, pinnedHead, cancellationToken).groups(queryPlan));
  }

  /** Returns how the rows would be found. */
  public Explanation explain() {
    return explain(Optional.empty());
  }

  /** Returns how an aggregate of the rows would be found. */
  public Explanation explain(Aggregate figure) {
    return explain(Optional.of(Grouping.of(figure)));
  }

  private Explanation explain(Optional<Grouping> grouping) {
    PinnedHead pinnedHead = engine.pin();
    return engine.explain(
        engine.plan(pinnedHead, query, grouping, declared), pinnedHead, cancellationToken);
  }

  /**
   * Returns the types with rows that were written under another version of their schema than the
   * one they are shown in, and the number of these rows. Rows that the filter leaves out count too.
   */
  public List<VersionMix> versions() {
    return versions(engine.pin());
  }

  List<VersionMix> versions(PinnedHead pinnedHead) {
    return engine.versions(
        engine.plan(pinnedHead, query, Optional.empty(), declared), pinnedHead, cancellationToken);
  }

  CancellationToken cancellation() {
    return cancellationToken;
  }

  /** Returns the query as built so far. */
  Query query() {
    return query;
  }
}
