// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.core.type.TypeReference;
import io.tidemark.api.Page;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureLog;
import io.tidemark.api.features.FeatureMaintenance;
import io.tidemark.api.features.FeatureMaintenanceRequest;
import io.tidemark.api.features.FeatureQueries;
import io.tidemark.api.features.FeatureService;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Features of a server, over its documented HTTP API. */
public final class HttpFeatureService implements FeatureService {

  private final FeatureServer server;

  private HttpFeatureService(FeatureServer server) {
    this.server = server;
  }

  /**
   * Returns the features of a server.
   *
   * @param headers headers of every request, beside those of the context
   */
  public HttpFeatureService(
      ServerConnection serverConnection, Map<String, String> headers, FeatureContext context) {
    this(new FeatureServer(serverConnection, Map.copyOf(headers), context));
  }

  @Override
  public FeatureService with(FeatureContext context) {
    return new HttpFeatureService(
        new FeatureServer(server.connection(), server.headers(), context));
  }

  @Override
  public CollectionService collection(String id) {
    return new HttpCollection(server, id);
  }

  @Override
  public List<FeatureCollectionInfo> collections(CollectionsRequest request) {
    ServerRequest plain = server.reading("GET", "v1", "collections");
    ServerRequest listing = request.deleted() ? plain.query("deleted", "true") : plain;
    return FeatureServer.<FeatureCollectionInfo>pages(
            Integer.MAX_VALUE,
            Optional.empty(),
            (limit, cursor) ->
                WireJson.read(
                    server.json(FeatureServer.part(listing, limit, cursor)),
                    new TypeReference<Page<FeatureCollectionInfo>>() {}))
        .items();
  }

  @Override
  public FeatureQueries queries() {
    return new HttpFeatureQueries(server);
  }

  @Override
  public FeatureLog log() {
    return new HttpFeatureLog(server);
  }

  @Override
  public FeatureMaintenance maintain(FeatureMaintenanceRequest request, ProgressListener listener) {
    return server.sendPatiently(
        server.writing("POST", "v1", "features", "maintain").json(WireJson.tree(request)),
        FeatureMaintenance.class);
  }
}
