// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk;

import io.tidemark.features.bulk.input.Input;
import io.tidemark.features.bulk.output.CollectionExport;
import io.tidemark.features.bulk.output.CollectionExportOptions;
import io.tidemark.features.db.FeatureStorage;
import io.tidemark.features.model.Actor;
import io.tidemark.features.write.Transaction;
import java.util.List;
import java.util.function.Function;

/** Bulk operations on one storage: loads and exports. */
public final class BulkOperations {

  private final FeatureStorage featureStorage;
  private final Function<Actor, Transaction> begin;

  /**
   * Creates the loads and exports of a storage.
   *
   * @param begin begins a transaction for writes to a collection that has features
   */
  public BulkOperations(FeatureStorage featureStorage, Function<Actor, Transaction> begin) {
    this.featureStorage = featureStorage;
    this.begin = begin;
  }

  /** Returns a load of a file into a collection, which begins when it is run. */
  public CollectionLoad load(Actor actor, String collection, Input input, LoadOptions options) {
    return new CollectionLoad(
        featureStorage, begin, new LoadRequest(actor, collection, input, options));
  }

  /** Returns an export of a collection, which begins when it gets a target. */
  public CollectionExport export(String collection, CollectionExportOptions options) {
    return new CollectionExport(featureStorage, collection, options);
  }

  /**
   * Drops the tables of loads that were killed. The tables of running loads stay.
   *
   * @return the names of the dropped tables
   */
  public List<String> removeLeftovers() {
    return featureStorage.inTransaction(
        sqlSession ->
            sqlSession.queryTexts("SELECT naksha_load_clean FROM %s.naksha_load_clean()"));
  }

  /** Parameters of a load. */
  record LoadRequest(Actor actor, String collection, Input input, LoadOptions options) {}
}
