// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Services of a collection, grouped by task. A collection that doesn't exist fails at the first
 * operation, with the code {@code collection-not-found}. Instances may be used by any number of
 * threads.
 */
public interface CollectionService {

  /** Returns a feature as it is; empty if there is none. */
  default Optional<ObjectNode> get(String id) {
    return lookup(LookupRequest.of(id)).features().stream().findFirst();
  }

  /** Returns features by their ids, in that order, and the ids of those that are missing. */
  FoundFeatures lookup(LookupRequest request);

  /**
   * Writes one feature. A conflict is a result.
   *
   * @param id id of the feature, which may have the same one or none
   * @param expected state that it must be in
   */
  FeaturePutResult put(String id, ObjectNode feature, ExpectedState expected);

  /** Does a batch in one transaction, all of it or nothing. A conflict is a result. */
  WrittenFeatures write(FeatureBatch batch);

  /**
   * Returns the kept states of a feature, the oldest first.
   *
   * @param limit maximum number of states
   * @param cursor end of the page before
   * @return no state and no next page if there never was such a feature
   */
  FeaturePage history(String id, int limit, Optional<String> cursor);

  /**
   * Returns the kept states of a feature, the newest first, each with a JSON patch that leads back
   * to the state before. Arguments and result are as those of {@link #history}.
   */
  FeaturePage activity(String id, int limit, Optional<String> cursor);

  /** Returns the operations on the collection itself. */
  CollectionAdministration administration();

  /** Returns loads and exports. */
  CollectionTransfer transfer();
}
