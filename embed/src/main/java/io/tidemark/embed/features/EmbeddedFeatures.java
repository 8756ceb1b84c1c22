// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

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
import io.tidemark.features.Features;
import io.tidemark.features.db.FeaturesOptions;
import java.util.List;

/** Features in process, in a PostgreSQL database. */
@SuppressWarnings("UnusedVariable")
public final class EmbeddedFeatures implements FeatureService, AutoCloseable {

  private final Features features;
  private final FeatureContext context;

  private EmbeddedFeatures(Features features, FeatureContext context) {
    this.features = features;
    this.context = context;
  }

  /**
   * Opens a storage, and installs or upgrades it first if need be.
   *
   * @param jdbcUrl URL of the database
   * @param storageId id with which the GUIDs of its features begin
   */
  public static EmbeddedFeatures open(String jdbcUrl, String storageId, FeaturesOptions options) {
    return of(Features.open(jdbcUrl, storageId, options));
  }

  /** Returns the service of an open storage, which is closed with it. */
  public static EmbeddedFeatures of(Features features) {
    return new EmbeddedFeatures(features, FeatureContext.standard());
  }

  @Override
  public EmbeddedFeatures with(FeatureContext other) {
    return new EmbeddedFeatures(features, other);
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

  /** Closes the storage. */
  @Override
  public void close() {
    features.close();
  }
}
