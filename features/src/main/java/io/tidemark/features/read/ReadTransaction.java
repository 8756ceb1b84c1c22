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
 * Looks at features, now and in the past. A deleted collection can be read like any other.
 *
 * <p>A state is there at a version when it was made by a transaction up to that one and replaced by
 * a later one, or by none. If that is true of several states of a feature, the one with the highest
 * number counts: a transaction that took its number early may replace what a later one has made.
 *
 * <p>Ids may be given with the prefix of the collection, which is taken off them as it is when one
 * writes.
 */
public final class ReadTransaction {

  private final SqlSession sql;
  private long told;

  public ReadTransaction(SqlSession sql) {
    this.sql = sql;
  }

  /** The collections that aren't deleted, by id. */
  public List<CollectionInfo> collections() {
    return new CollectionCatalog(sql).list();
  }

  /** All collections, by id. */
  public List<CollectionInfo> collectionsWithDeleted() {
    return new CollectionCatalog(sql).listWithDeleted();
  }

  /**
   * A collection, deleted or not, with an estimate of what is in it.
   *
   * @throws CollectionNotFoundException if there is no such collection
   */
  public CollectionInfo collection(String id) {
    return new CollectionCatalog(sql).info(id);
  }

  /** The feature as it is; empty when there is none. */
  public Optional<Feature> byId(String collection, String id) {
    return byIds(collection, List.of(id)).stream().findFirst();
  }

  /** Those of the features that are there, in the order in which they are asked for. */
  public List<Feature> byIds(String collection, List<String> ids) {
    return states(collection).current(ids);
  }

  /**
   * Those of the features that were there at a version, in the order in which they are asked for.
   */
  public List<Feature> byIdsAt(String collection, List<String> ids, Txn version) {
    return states(collection).at(ids, version.value());
  }

  /**
   * Those of the features that were there at a moment: all that was done by transactions that began
   * by then, in the order in which they are asked for.
   *
   * @throws LogGoneException if the log of that day was dropped
   */
  public List<Feature> byIdsAt(String collection, List<String> ids, Instant moment) {
    return states(collection).at(ids, new LogRetention(sql).lastUpTo(moment));
  }

  /** The state with a GUID, wherever it is kept; empty when nobody has it, or has it any more. */
  public Optional<Feature> byGuid(Guid guid) {
    if (!guid.storage().equals(sql.place().storageId())) {
      return Optional.empty();
    }
    return sql.queryText("SELECT %s.naksha_collection_read(?)", guid.collection())
        .map(CollectionInfo::parse)
        .flatMap(info -> new StoredVersions(sql, info).byGuid(guid));
  }

  /**
   * All states of a feature that are kept, the first first, with that of its deletion; see {@link
   * VersionChain}.
   */
  public List<Feature> versions(String collection, String id) {
    return VersionChain.sort(states(collection).versions(id));
  }

  /** What was done to a feature, the newest first; see {@link Activity}. */
  public List<Activity> activity(String collection, String id) {
    return Activity.of(collection, versions(collection, id));
  }

  /**
   * The same as {@link #versions(String, String)}, so many at a time: what isn't asked for isn't
   * read.
   *
   * @param after where the stretch before said that it goes on; empty for the first
   * @throws InvalidRequestException if there is no such place, or no more
   */
  public Slice<Feature> versions(String collection, String id, Optional<String> after, int most) {
    return new FeatureVersions(states(collection), id).states(after, most);
  }

  /** The same as {@link #activity(String, String)}, so many at a time. */
  public Slice<Activity> activity(String collection, String id, Optional<String> after, int most) {
    return new FeatureVersions(states(collection), id).activities(after, most);
  }

  /**
   * All states that a transaction has made in a collection and that are kept, those of deletions
   * included, in the order in which they were made.
   */
  public List<Feature> madeBy(String collection, Txn txn) {
    return states(collection).madeBy(txn);
  }

  /** The last states of those of the features that are deleted and not purged. */
  public List<Feature> deleted(String collection, List<String> ids) {
    return states(collection).deleted(ids);
  }

  /**
   * Features by place, tags, properties and more. All pages of an answer are of the moment of the
   * first, as far as the collections keep their history; see {@link FeatureQuery#after}.
   *
   * @throws CollectionNotFoundException if there is no such collection
   * @throws InvalidRequestException if the handle isn't one of this query and this storage
   * @throws LogGoneException if the log that the handle or a moment needs was dropped
   */
  public FeatureQueryPage query(FeatureQuery query) {
    return new FeatureQueryExecutor(sql).page(query);
  }

  /**
   * The same without an end: does something with each feature, in any order unless the query has
   * one, and holds only a few at a time. There is no limit unless the query has one.
   *
   * @return how many there were
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
   * Fails if features were handed out, so that whoever got them must know that there is no more.
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

  /** How PostgreSQL would answer a query, in its own words. */
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
