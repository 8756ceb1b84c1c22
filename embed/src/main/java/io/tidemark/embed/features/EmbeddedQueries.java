// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ResultStream;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeaturePlan;
import io.tidemark.api.features.FeatureQueries;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.FeatureQueryPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Queries of features in process. */
record EmbeddedQueries(FeatureUse use) implements FeatureQueries {

  @Override
  public FeaturePage page(FeatureQueryRequest request) {
    FeatureQuery query = FeatureQuestion.of(request);
    FeatureQueryPage found = use.read(readTransaction -> readTransaction.query(query));
    return new FeaturePage(FeatureResults.features(found.features()), found.next());
  }

  @Override
  public ResultStream<FeatureQueryRequest, ObjectNode> stream(FeatureQueryRequest request) {
    FeatureQuery query = FeatureQuestion.of(request);
    Object unused =
        use.read(
            readTransaction ->
                query.collections().stream().map(readTransaction::collection).toList());
    return new Stream(use, request, query);
  }

  @Override
  public FeaturePlan explain(FeatureQueryRequest request) {
    FeatureQuery query = FeatureQuestion.of(request);
    return new FeaturePlan(use.read(readTransaction -> readTransaction.explain(query)));
  }

  @Override
  public FoundFeatures states(List<String> guids) {
    List<Guid> parsed = guids.stream().map(Guid::parse).toList();
    return use.read(
        readTransaction -> {
          List<ObjectNode> found = new ArrayList<>();
          List<String> missing = new ArrayList<>();
          for (Guid guid : parsed) {
            Optional<Feature> state = readTransaction.byGuid(guid);
            state
                .map(Feature::json)
                .ifPresentOrElse(found::add, () -> missing.add(guid.toString()));
          }
          return new FoundFeatures(found, missing);
        });
  }

  /** Features of a query, read while they are consumed. */
  private record Stream(FeatureUse use, FeatureQueryRequest header, FeatureQuery query)
      implements ResultStream<FeatureQueryRequest, ObjectNode> {

    @Override
    public void forEach(Consumer<? super ObjectNode> consumer) {
      Object unused =
          use.read(
              readTransaction ->
                  readTransaction.each(
                      query,
                      feature -> {
                        use.context().cancellation().check();
                        consumer.accept(feature.json());
                      }));
    }

    @Override
    public void close() {
      // Holds nothing between calls.
    }
  }
}
