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
 * A query on its way. Each step gives a new one and leaves the old one as it is. Whatever is wrong
 * with it is said by {@link io.tidemark.ledger.query.model.InvalidQueryException}, before anything
 * is read: at the step for what is wrong in any ledger, at the end for what depends on this one.
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

  /** Only rows of which this is true, too. */
  public QueryBuilder<T> where(Filter filter) {
    declared.ifPresent(type -> DeclaredPathCheck.check(type, filter));
    return with(query.where(filter));
  }

  /** Ordered by a path, such as {@code age} or {@code left.tier}. */
  public QueryBuilder<T> orderBy(String path) {
    return orderBy(path, Direction.ASCENDING);
  }

  /** Ordered by a path, after what it is ordered by already. */
  public QueryBuilder<T> orderBy(String path, Direction direction) {
    return with(query.orderBy(new SortKey(Fields.operand(path), direction)));
  }

  /** At most so many rows. */
  public QueryBuilder<T> limit(long rows) {
    return with(query.limit(rows));
  }

  /** Without the first so many rows. */
  public QueryBuilder<T> offset(long rows) {
    return with(query.offset(rows));
  }

  /** Only what comes behind the end of a page of this very query, as of the same commit. */
  public QueryBuilder<T> after(Cursor cursor) {
    return with(query.after(cursor));
  }

  /** The state as it was at a commit; at a later one than there is, as it is. */
  public QueryBuilder<T> asOf(long commitId) {
    return with(query.withTemporal(query.temporal().asOf(new Moment.AtCommit(commitId))));
  }

  /** The state as it was at a time, by the clocks of those who committed. */
  public QueryBuilder<T> asOf(Instant time) {
    return with(query.withTemporal(query.temporal().asOf(new Moment.AtTime(time))));
  }

  /**
   * In the schema that the type had at a commit, with the fields and types of then, instead of the
   * one that it has now. Also types at ends of relations are shown as they were then.
   */
  public QueryBuilder<T> inSchemaOf(long commitId) {
    return inSchemaOf(new Moment.AtCommit(commitId));
  }

  /** In the schemas that types had at a moment. */
  public QueryBuilder<T> inSchemaOf(Moment moment) {
    return with(query.withTemporal(query.temporal().inSchemaOf(moment)));
  }

  /** In the schemas of the moment that the query is as of. */
  public QueryBuilder<T> inSchemaOfThen() {
    return inSchemaOf(query.temporal().upTo());
  }

  /** The schema that rows are shown in; empty when the ledger doesn't have the type. */
  public Optional<TypeSchema> schema() {
    return engine.find(query.type(), engine.pin(), query.temporal()).map(TypeView::schema);
  }

  /** Every version of every row, in the order of commits. */
  public QueryBuilder<T> history() {
    return since(0);
  }

  /** Every version that was written after a commit. */
  public QueryBuilder<T> since(long commitId) {
    return with(query.withTemporal(query.temporal().since(commitId)));
  }

  /** With the entities at both ends of a relation. */
  public QueryBuilder<T> withEnds() {
    return with(query.withEnds());
  }

  /** Ended by this, also while it is answered or relations are followed from its rows. */
  public QueryBuilder<T> cancelledBy(CancellationToken ending) {
    return new QueryBuilder<>(engine, query, declared, value, ending);
  }

  /** What can be reached from the rows by a relation. */
  public Traversal<T> via(Class<? extends Record> relation) {
    return via(RecordType.of(relation).schema().id().name());
  }

  /** What can be reached from the rows by a relation. */
  public Traversal<T> via(String relation) {
    return new Traversal<>(engine, this, List.of(TypeId.relation(relation)));
  }

  /**
   * All rows. Every processor makes values of them, since that takes longer than finding them; so
   * constructors of records are called by several threads, and now and then twice for a row.
   */
  public List<ResultRow<T>> list() {
    PinnedHead pinnedHead = engine.pin();
    QueryPlan queryPlan = engine.plan(pinnedHead, query, Optional.empty(), declared);
    try (Stream<MatchedRow> rows = rows(pinnedHead, queryPlan)) {
      return ParallelMap.map(rows, matchedRow -> ResultMapper.row(queryPlan, matchedRow, value));
    }
  }

  /** The rows one by one; the caller closes the stream. */
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

  /** The first row. */
  public Optional<ResultRow<T>> first() {
    long most = Math.min(1, query.limit().orElse(1));
    return limit(most).list().stream().findFirst();
  }

  /** The rows up to the limit, and where to go on. All pages are as of the first one's commit. */
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

  /** How many rows there are. */
  public long count() {
    return aggregate(Aggregate.count()).asLong();
  }

  /** How many of the rows this is true of. */
  public long countWhere(Filter filter) {
    return where(filter).count();
  }

  /** The sum of numbers; JSON null when there are none. */
  public JsonNode sum(String path) {
    return aggregate(Aggregate.sum(path));
  }

  /** The average of numbers; JSON null when there are none. */
  public JsonNode avg(String path) {
    return aggregate(Aggregate.avg(path));
  }

  /** The least value; JSON null when there is none. */
  public JsonNode min(String path) {
    return aggregate(Aggregate.min(path));
  }

  /** The greatest value; JSON null when there is none. */
  public JsonNode max(String path) {
    return aggregate(Aggregate.max(path));
  }

  /** How long lists are on average; JSON null when there are none. */
  public JsonNode avgLen(String path) {
    return aggregate(Aggregate.avgLen(path));
  }

  private JsonNode aggregate(Aggregate aggregate) {
    return groups(Grouping.of(aggregate)).get(0).figures().values().iterator().next();
  }

  /** Several figures about all rows, each by its name. */
  public Map<String, JsonNode> aggregates(Map<String, Aggregate> figures) {
    return groups(new Grouping(List.of(), figures, Optional.empty())).get(0).figures();
  }

  /** Groups of rows that are equal in these. */
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

  /** How the rows would be found. */
  public Explanation explain() {
    return explain(Optional.empty());
  }

  /** How a figure of them would be found. */
  public Explanation explain(Aggregate figure) {
    return explain(Optional.of(Grouping.of(figure)));
  }

  private Explanation explain(Optional<Grouping> grouping) {
    PinnedHead pinnedHead = engine.pin();
    return engine.explain(
        engine.plan(pinnedHead, query, grouping, declared), pinnedHead, cancellationToken);
  }

  /**
   * Which types have rows that were written under another version of their schema than the one they
   * are shown in, and how many. Whatever the filter leaves out is counted, too.
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

  /** What is asked so far. */
  Query query() {
    return query;
  }
}
