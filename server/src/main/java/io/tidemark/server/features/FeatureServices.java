// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureService;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.features.HttpFeatureService;
import io.tidemark.embed.features.EmbeddedFeatures;
import io.tidemark.features.Features;
import io.tidemark.server.http.HttpRequestContext;
import io.tidemark.server.http.RequestForwarder;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.util.Map;
import java.util.Optional;

/** Resolver of the feature service for a call. */
interface FeatureServices {

  /** Returns the service for a call. */
  FeatureService of(HttpRequestContext httpRequestContext);

  /** Returns the service for work that several calls share. */
  FeatureService shared();

  /**
   * Returns a resolver of services that do the work in this process.
   *
   * @param features empty if the server has none; every call fails then
   */
  static FeatureServices of(Optional<Features> features) {
    return new Own(features.map(EmbeddedFeatures::of));
  }

  /** Returns a resolver of services of another server, for which this server is a front. */
  static FeatureServices of(ServerConnection upstream) {
    return new Upstream(upstream);
  }

  /** Resolver of this server's own feature storage. */
  record Own(Optional<EmbeddedFeatures> features) implements FeatureServices {

    @Override
    public FeatureService of(HttpRequestContext httpRequestContext) {
      return shared();
    }

    @Override
    public FeatureService shared() {
      return features.orElseThrow(
          () ->
              new ProblemException(
                  Problem.of(
                      404,
                      "no-features",
                      "this server has no features; start it with --features embedded, or with"
                          + " --features and the URL of a PostgreSQL")));
    }
  }

  /** Resolver of the features of another server. */
  record Upstream(ServerConnection connection) implements FeatureServices {

    @Override
    public FeatureService of(HttpRequestContext httpRequestContext) {
      return of(RequestForwarder.onwardWithKey(httpRequestContext));
    }

    @Override
    public FeatureService shared() {
      return of(Map.of());
    }

    private FeatureService of(Map<String, String> headers) {
      return new HttpFeatureService(connection, headers, FeatureContext.standard());
    }
  }
}
