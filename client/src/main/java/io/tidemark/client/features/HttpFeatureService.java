// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import io.tidemark.api.ProgressListener;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureLog;
import io.tidemark.api.features.FeatureMaintenance;
import io.tidemark.api.features.FeatureMaintenanceRequest;
import io.tidemark.api.features.FeatureQueries;
import io.tidemark.api.features.FeatureService;
import io.tidemark.client.Connection;
import java.util.List;
import java.util.Map;

/** Features of a server, over its documented HTTP API. */
@SuppressWarnings("UnusedVariable")
public final class HttpFeatureService implements FeatureService {

  private final Connection connection;
  private final Map<String, String> headers;
  private final FeatureContext context;

  /**
   * Returns the features of a server.
   *
   * @param headers headers of every request, beside those of the context
   */
  public HttpFeatureService(
      Connection connection, Map<String, String> headers, FeatureContext context) {
    this.connection = connection;
    this.headers = Map.copyOf(headers);
    this.context = context;
  }

  @Override
  public FeatureService with(FeatureContext other) {
    return new HttpFeatureService(connection, headers, other);
  }

  @Override
  public CollectionService collection(String id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<FeatureCollectionInfo> collections(CollectionsRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FeatureQueries queries() {
    throw new UnsupportedOperationException();
  }

  @Override
  public FeatureLog log() {
    throw new UnsupportedOperationException();
  }

  @Override
  public FeatureMaintenance maintain(FeatureMaintenanceRequest request, ProgressListener listener) {
    throw new UnsupportedOperationException();
  }
}
