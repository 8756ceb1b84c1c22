// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import io.tidemark.api.Progress;
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
import io.tidemark.features.maintain.MaintainOptions;
import io.tidemark.features.read.ReadTransaction;
import java.util.List;
import java.util.Optional;

/** Features in process, in a PostgreSQL database. */
public final class EmbeddedFeatures implements FeatureService, AutoCloseable {

  private final FeatureUse use;

  private EmbeddedFeatures(FeatureUse use) {
    this.use = use;
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
    return new EmbeddedFeatures(new FeatureUse(features, FeatureContext.standard()));
  }

  @Override
  public EmbeddedFeatures with(FeatureContext context) {
    return new EmbeddedFeatures(new FeatureUse(use.features(), context));
  }

  @Override
  public CollectionService collection(String id) {
    return new EmbeddedCollection(use, id);
  }

  @Override
  public List<FeatureCollectionInfo> collections(CollectionsRequest request) {
    return use
        .read(
            request.deleted()
                ? ReadTransaction::collectionsWithDeleted
                : ReadTransaction::collections)
        .stream()
        .map(FeatureResults::collection)
        .toList();
  }

  @Override
  public FeatureQueries queries() {
    return new EmbeddedQueries(use);
  }

  @Override
  public FeatureLog log() {
    return new EmbeddedFeatureLog(use);
  }

  @Override
  public FeatureMaintenance maintain(FeatureMaintenanceRequest request, ProgressListener listener) {
    MaintainOptions options = MaintainOptions.defaults();
    if (request.mergeMonths()) {
      options = options.mergingMonths();
    }
    if (request.keepLog().isPresent()) {
      options = options.keepingLogFor(request.keepLog().getAsLong());
    }
    return FeatureResults.maintenance(
        use.features()
            .maintain(options, name -> listener.progress(new Progress(name, 0, Optional.empty()))));
  }

  /** Closes the storage. */
  @Override
  public void close() {
    use.features().close();
  }
}
