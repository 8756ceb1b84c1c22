// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.features;

import io.tidemark.api.features.FeatureService;

/** Contract that every implementation of {@link FeatureService} meets. */
public abstract class FeatureServiceContract {

  /** Returns the service to test, on an empty or used storage. */
  protected abstract FeatureService service();
}
