// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.read;

import io.tidemark.features.activity.Activity;
import io.tidemark.features.activity.VersionChain;
import io.tidemark.features.collection.CollectionCatalog;
import io.tidemark.features.db.SqlSession;
import io.tidemark.features.log.LogGoneException;
import io.tidemark.features.log.LogRetention;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.model.StorageUnavailableException;
import io.tidemark.features.model.Txn;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import io.tidemark.objects.TidemarkException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads features, current and past. A deleted collection can be read like any other.
 *
 * <p>A state is current at a version when it was made by a transaction up to that one and replaced
 * by a later one, or by none. If that is true of several states of a feature, the one with the
 * highest number counts: a transaction that took its number early may replace a state that a later
 * one has made.
 *
 * <p>Ids may be given with the prefix of the collection, which is removed as it is on a write.
 */
public final class ReadTransaction {

  private final SqlSession sql;
  private long told;

  public ReadTransaction(SqlSession sql) {
    this.sql = sql;
  }

  /** Returns the collections that aren't deleted, by id. */
  public List<CollectionInfo> collections() {
    return new CollectionCatalog(sql).list();
  }

  /** Returns all collections, by id. */
  public List<CollectionInfo> collectionsWithDeleted() {
    return new CollectionCatalog(sql).listWithDeleted();
  }

  /**
   * Returns a collection, deleted or not, with an estimate of its contents.
   *
   * @throws CollectionNotFoundException if there is no such collection
   */
  public CollectionInfo collection(String id) {
    return new CollectionCatalog(sql).info(id);
  }

  /** Returns the current feature; empty when there is none. */
  public Optional<Feature> byId(String collection, String id) {
    return byIds(collection, List.of(id)).stream().findFirst();
  }

  /** Returns the features that exist, in the order of the given ids. */
  public List<Feature> byIds(String collection, List<String> ids) {
    return states(collection).current(ids);
  }

  /** Returns the features that existed at a version, in the order of the given ids. */
  public List<Feature> byIdsAt(String collection, List<String> ids, Txn version) {
    return states(collection).at(ids, version.value());
  }

  /**
   * Returns the features that existed at a moment: with the changes of all transactions that began
   * by then, in the order of the given ids.
   *
   * @throws LogGoneException if the log of that day was dropped
   */
  public List<Feature> byIdsAt(String collection, List<String> ids, Instant moment) {
    return states(collection).at(ids, new LogRetention(sql).lastUpTo(moment));
  }

  /**
   * Returns the state with a GUID, from whichever table has it; empty when it doesn't exist, or
   * isn't kept any more.
   */
  public Optional<Feature> byGuid(Guid guid) {
    if (!guid.storage().equals(sql.place().storageId())) {
      return Optional.empty();
    }
    return sql.queryText("SELECT %s.naksha_collection_read(?)", guid.collection())
        .map(CollectionInfo::parse)
        .flatMap(info -> new StoredVersions(sql, info).byGuid(guid));
  }

  /**
   * Returns all states of a feature that are kept, oldest first, including that of its deletion;
   * see {@link VersionChain}.
   */
  public List<Feature> versions(String collection, String id) {
    return VersionChain.sort(states(collection).versions(id));
  }

  /** Returns the activities of a feature, newest first; see {@link Activity}. */
  public List<Activity> activity(String collection, String id) {
    return Activity.of(collection, versions(collection, id));
  }

  /**
   * Returns a slice of {@link #versions(String, String)}; states outside the slice aren't read.
   *
   * @param after where the previous slice said that it goes on; empty for the first
   * @throws InvalidRequestException if there is no such place, or no more
   */
  public Slice<Feature> versions(String collection, String id, Optional<String> after, int most) {
    return new FeatureVersions(states(collection), id).states(after, most);
  }

  /** Returns a slice of {@link #activity(String, String)}. */
  public Slice<Activity> activity(String collection, String id, Optional<String> after, int most) {
    return new FeatureVersions(states(collection), id).activities(after, most);
  }

  /**
   * Returns all states that a transaction has made in a collection and that are kept, including
   * those of deletions, in the order in which they were made.
   */
  public List<Feature> madeBy(String collection, Txn txn) {
    return states(collection).madeBy(txn);
  }

  /** Returns the last states of the given features that are deleted and not purged. */
  public List<Feature> deleted(String collection, List<String> ids) {
    return states(collection).deleted(ids);
  }

  /**
   * Returns a page of features by place, tags, properties and more. All pages of an answer are of
   * the snapshot of the first, as far as the collections keep their history; see {@link
   * FeatureQuery#after}.
   *
   * @throws CollectionNotFoundException if there is no such collection
   * @throws InvalidRequestException if the handle isn't one of this query and this storage
   * @throws LogGoneException if the log that the handle or a moment needs was dropped
   */
  public FeatureQueryPage query(FeatureQuery query) {
    return new FeatureQueryExecutor(sql).page(query);
  }

  /**
   * Streams the features of a query: processes each feature, in any order unless the query has one,
   * and holds only a few at a time. There is no limit unless the query has one.
   *
   * @return number of features
   */
  public long each(FeatureQuery query, Consumer<Feature> action) {
    return new FeatureQueryExecutor(sql)
        .each(
            query,
            feature -> {
              told++;
              action.accept(feature);
            });
  }

  /** Returns whether features were handed out one by one. */
  boolean hasDelivered() {
    return told > 0;
  }

  /**
   * Fails if features were handed out, because the consumer must learn that the stream is
   * incomplete.
   */
  void requireNothingDelivered(TidemarkException why) {
    if (hasDelivered()) {
      throw new StorageUnavailableException(
          ("a replica has broken off the read after %d features: %s; begin again, ask for pages, or"
                  + " let the replica wait for who reads (max_standby_streaming_delay)")
              .formatted(told, why.getMessage()),
          why);
    }
  }

  /** Returns PostgreSQL's plan of a query. */
  public List<String> explain(FeatureQuery query) {
    return new FeatureQueryExecutor(sql).explain(query);
  }

  private StoredVersions states(String collection) {
    return new StoredVersions(
        sql,
        CollectionInfo.parse(
            sql.queryText("SELECT %s.naksha_collection_find(?)", collection).orElseThrow()));
  }
}
