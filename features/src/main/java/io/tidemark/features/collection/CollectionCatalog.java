// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.collection;

import io.tidemark.features.db.SqlSession;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.CollectionNotFoundException;
import java.util.List;
import java.util.Optional;

/**
 * The collections of a storage, as a transaction sees and changes them.
 *
 * <p>A change waits for running writers of the collection, and later writers wait until its
 * transaction has ended.
 */
public final class CollectionCatalog {

  private final SqlSession sql;

  public CollectionCatalog(SqlSession sql) {
    this.sql = sql;
  }

  /** Creates a collection unless there is one by that id, deleted or not. */
  public CreationResult create(String id, CollectionOptions options) {
    Optional<String> there = sql.queryText("SELECT %s.naksha_collection_hold(?)", id);
    if (there.isPresent()) {
      return new CreationResult.Exists(CollectionInfo.parse(there.get()));
    }
    return new CreationResult.Created(
        known(
            sql.queryText("SELECT %s.naksha_collection_create(?, ?::jsonb)", id, options.json()),
            id));
  }

  /** Changes the options that are set and keeps the others. */
  public CollectionInfo update(String id, CollectionOptions options) {
    return known(
        sql.queryText("SELECT %s.naksha_collection_update(?, ?::jsonb)", id, options.json()), id);
  }

  /**
   * Hides a collection and rejects writes to it. No data is lost.
   *
   * @return its new state; empty when there is none, or when it was deleted before
   */
  public Optional<CollectionInfo> delete(String id) {
    return sql.queryText("SELECT %s.naksha_collection_delete(?)", id).map(CollectionInfo::parse);
  }

  /** Brings a deleted collection back as it was. */
  public CollectionInfo restore(String id) {
    return known(sql.queryText("SELECT %s.naksha_collection_restore(?)", id), id);
  }

  /**
   * Drops a collection with all its features and their history, deleted or not.
   *
   * @return its last state; empty when there was none
   */
  public Optional<CollectionInfo> purge(String id) {
    return sql.queryText("SELECT %s.naksha_collection_purge(?)", id).map(CollectionInfo::parse);
  }

  /** Returns the collections that aren't deleted, by id. */
  public List<CollectionInfo> list() {
    return all("SELECT naksha_collections FROM %s.naksha_collections()");
  }

  /** Returns all collections, by id. */
  public List<CollectionInfo> listWithDeleted() {
    return all("SELECT naksha_collections FROM %s.naksha_collections(true)");
  }

  /** Returns a collection, deleted or not, with an estimate of its contents. */
  public CollectionInfo info(String id) {
    return known(sql.queryText("SELECT %s.naksha_collection_info(?)", id), id);
  }

  private List<CollectionInfo> all(String query) {
    return sql.queryTexts(query).stream().map(CollectionInfo::parse).toList();
  }

  private static CollectionInfo known(Optional<String> info, String id) {
    return CollectionInfo.parse(
        info.orElseThrow(
            () -> new CollectionNotFoundException("there is no collection '" + id + "'")));
  }
}
