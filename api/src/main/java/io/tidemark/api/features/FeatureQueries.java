// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import java.util.List;

/** Reads of features in any number of collections. */
public interface FeatureQueries {

  /**
   * Returns the features up to the limit, and where to go on. All pages are of the moment of the
   * first one.
   */
  FeaturePage page(FeatureQueryRequest request);

  /**
   * Returns the features one by one, all of them without a limit, in any order unless the query has
   * one. A wrong query or a missing collection fails here, before the first feature.
   */
  ResultStream<FeatureQueryRequest, ObjectNode> stream(FeatureQueryRequest request);

  /** Describes how PostgreSQL answers the query. */
  FeaturePlan explain(FeatureQueryRequest request);

  /** Returns states by their GUIDs, in that order, and the GUIDs of those that aren't kept. */
  FoundFeatures states(List<String> guids);
}
