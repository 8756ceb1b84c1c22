// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Query of the rows of a type, as they are or as they were.
 *
 * @param type whose rows; {@code relation:NAME} where an entity has the same name
 * @param where conditions that all have to be true, such as {@code age > 30 and tier = "Gold"}
 * @param order order of the rows
 * @param limit maximum number of rows
 * @param offset number of rows to skip
 * @param cursor end of the page before, see {@link RowPage#next()}
 * @param asOf past state; empty for the current one
 * @param schemaAsOfCommit commit in whose schemas rows are shown; empty for the current ones
 * @param history whether to return every version of every row
 * @param since commit after which versions were written; returns every one of them
 * @param ends whether to add the entities at both ends of relations
 * @param count whether the number of rows is explained, rather than the rows
 * @param aggregate aggregates by their names
 * @param groupBy fields whose values form the groups
 * @param having condition on groups
 * @param explain whether to describe how the query is answered
 * @param schema whether a page has the schema that its rows are shown in
 * @param timeoutMillis time limit; a server has one of its own, which can't be exceeded
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record QueryRequest(
    String type,
    List<String> where,
    List<RowOrder> order,
    OptionalLong limit,
    OptionalLong offset,
    Optional<String> cursor,
    @JsonProperty("asOf") Optional<AsOf> asOf,
    @JsonProperty("schemaAsOfCommit") OptionalLong schemaAsOfCommit,
    boolean history,
    OptionalLong since,
    boolean ends,
    boolean count,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, AggregateSpec> aggregate,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonProperty("groupBy") List<String> groupBy,
    Optional<Having> having,
    boolean explain,
    boolean schema,
    @JsonProperty("timeoutMillis") OptionalLong timeoutMillis)
    implements QueryRequestBuilder.With {

  public QueryRequest {
    where = List.copyOf(where);
    order = List.copyOf(order);
    aggregate = Collections.unmodifiableMap(new LinkedHashMap<>(aggregate));
    groupBy = List.copyOf(groupBy);
  }

  /** Returns the query of all rows of a type. */
  public static QueryRequest of(String type) {
    return new QueryRequest(
        type,
        List.of(),
        List.of(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        false,
        OptionalLong.empty(),
        false,
        false,
        Map.of(),
        List.of(),
        Optional.empty(),
        false,
        false,
        OptionalLong.empty());
  }

  /** Returns the query with one more condition. */
  public QueryRequest where(String condition) {
    List<String> all = new ArrayList<>(where);
    all.add(condition);
    return withWhere(all);
  }

  /** Returns the query ordered by one more field, such as {@code age desc}. */
  public QueryRequest orderBy(String text) {
    List<RowOrder> all = new ArrayList<>(order);
    all.add(RowOrder.parse(text));
    return withOrder(all);
  }

  /** Returns the query with a maximum number of rows. */
  public QueryRequest limit(long rows) {
    return withLimit(OptionalLong.of(rows));
  }

  /** Returns the query of a past state. */
  public QueryRequest asOf(AsOf moment) {
    return withAsOf(Optional.of(moment));
  }
}
