// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Page;
import io.tidemark.api.ResultStream;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeaturePlan;
import io.tidemark.api.features.FeatureQueries;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.StreamedDocument;
import io.tidemark.client.StreamedServerResponse;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Queries of the features of a server. */
record HttpFeatureQueries(FeatureServer server) implements FeatureQueries {

  private static final String SEQUENCE = "application/geo+json-seq";

  private ServerRequest query(FeatureQueryRequest request) {
    return server.reading("POST", "v1", "features", "query").json(WireJson.tree(request));
  }

  @Override
  public FeaturePage page(FeatureQueryRequest request) {
    if (request.limit().isEmpty()) {
      return server.send(query(request), FeaturePage.class);
    }
    Page<ObjectNode> features =
        FeatureServer.pages(
            request.limit().getAsInt(),
            request.cursor(),
            (size, cursor) -> {
              FeaturePage page =
                  server.send(query(request.limit(size).withCursor(cursor)), FeaturePage.class);
              return new Page<>(page.features(), page.next());
            });
    return new FeaturePage(features.items(), features.next());
  }

  @Override
  public ResultStream<FeatureQueryRequest, ObjectNode> stream(FeatureQueryRequest request) {
    StreamedServerResponse answer = server.open(query(request).header("Accept", SEQUENCE));
    return StreamedDocument.lines(
        new StreamedServerResponse(
            answer.request(),
            answer.status(),
            answer.headers(),
            new WithoutSeparators(answer.body())),
        request,
        feature -> WireJson.read(feature, ObjectNode.class));
  }

  /** Text sequence whose record separators, which no JSON has, are blanks. */
  private static final class WithoutSeparators extends FilterInputStream {
    private static final byte SEPARATOR = 0x1e;

    WithoutSeparators(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      return read == SEPARATOR ? ' ' : read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      for (int i = offset; i < offset + count; i++) {
        if (bytes[i] == SEPARATOR) {
          bytes[i] = ' ';
        }
      }
      return count;
    }
  }

  @Override
  public FeaturePlan explain(FeatureQueryRequest request) {
    FeatureQueryRequest limited =
        request.limit().orElse(0) > FeatureServer.PAGE
            ? request.limit(FeatureServer.PAGE)
            : request;
    return server.send(query(limited).query("explain", "true"), FeaturePlan.class);
  }

  @Override
  public FoundFeatures states(List<String> guids) {
    List<ObjectNode> states = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String guid : guids) {
      Optional<ObjectNode> state =
          server.find(server.reading("GET", "v1", "guids", guid), ObjectNode.class);
      state.ifPresentOrElse(states::add, () -> missing.add(guid));
    }
    return new FoundFeatures(states, missing);
  }
}
