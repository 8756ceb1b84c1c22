// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import io.tidemark.api.ProgressListener;
import java.util.List;

/**
 * Storage of features: collections with their history, and the log of all transactions. Without a
 * database the first operation fails. Instances may be used by any number of threads.
 */
public interface FeatureService {

  /** Returns the storage for operations in another context. */
  FeatureService with(FeatureContext context);

  /** Returns a collection, which needn't exist. */
  CollectionService collection(String id);

  /** Returns collections by id. */
  List<FeatureCollectionInfo> collections(CollectionsRequest request);

  /** Returns the operations that read several collections. */
  FeatureQueries queries();

  /** Returns the operations on the transaction log. */
  FeatureLog log();

  /**
   * Does the maintenance that is due.
   *
   * @param listener told of each collection before its turn
   */
  FeatureMaintenance maintain(FeatureMaintenanceRequest request, ProgressListener listener);
}
