// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionAdministration;
import io.tidemark.api.features.CollectionRemoval;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CollectionTransfer;
import io.tidemark.api.features.ExpectedState;
import io.tidemark.api.features.FeatureBatch;
import io.tidemark.api.features.FeatureCollectionExistsException;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeaturePutResult;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.api.features.LookupRequest;
import io.tidemark.api.features.WrittenFeatures;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Collection of a server. */
record HttpCollection(FeatureServer server, String id)
    implements CollectionService, CollectionAdministration {

  private static final String FEATURES = "features";
  private static final int CREATED = 201;

  private String[] path(String... steps) {
    return Stream.concat(Stream.of("v1", "collections", id), Stream.of(steps))
        .toArray(String[]::new);
  }

  @Override
  public FoundFeatures lookup(LookupRequest request) {
    List<ObjectNode> features = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> ids = request.ids();
    for (int i = 0; i < ids.size(); i += FeatureServer.PAGE) {
      List<String> some = ids.subList(i, Math.min(ids.size(), i + FeatureServer.PAGE));
      FoundFeatures found =
          server.send(
              server.reading("POST", path("lookup")).json(WireJson.tree(request.withIds(some))),
              FoundFeatures.class);
      features.addAll(found.features());
      missing.addAll(found.missing());
    }
    return new FoundFeatures(features, missing);
  }

  @Override
  public FeaturePutResult put(String feature, ObjectNode content, ExpectedState expected) {
    ServerRequest put =
        expecting(expected, server.writing("PUT", path(FEATURES, feature)).json(content));
    ServerResponse serverResponse = server.connection().send(put);
    if (serverResponse.code().equals("conflict")) {
      return new FeaturePutResult.Conflict(
          serverResponse.json().path("detail").asText(),
          actual(serverResponse).map(ObjectNode.class::cast));
    }
    ObjectNode state = WireJson.read(serverResponse.orThrow().json(), ObjectNode.class);
    return serverResponse.status() == CREATED
        ? new FeaturePutResult.Created(state)
        : new FeaturePutResult.Updated(state);
  }

  private static ServerRequest expecting(ExpectedState expected, ServerRequest put) {
    if (expected instanceof ExpectedState.Absent) {
      return put.header("If-None-Match", "*");
    }
    if (expected instanceof ExpectedState.Present) {
      return put.header("If-Match", "*");
    }
    return expected instanceof ExpectedState.Uuid state
        ? put.header("If-Match", '"' + ServerRequest.encoded(state.uuid()) + '"')
        : put;
  }

  /** Returns the state that a problem has, if it has one. */
  private static Optional<JsonNode> actual(ServerResponse problem) {
    return Optional.of(problem.json().path("actual")).filter(JsonNode::isObject);
  }

  @Override
  public WrittenFeatures write(FeatureBatch batch) {
    ServerResponse serverResponse =
        server.connection().send(server.writing("POST", path(FEATURES)).json(batch.json()));
    boolean told = !serverResponse.code().isEmpty() && serverResponse.json().has("rows");
    return WireJson.read(
        told ? serverResponse.json() : serverResponse.orThrow().json(), WrittenFeatures.class);
  }

  @Override
  public FeaturePage history(String feature, int limit, Optional<String> cursor) {
    return states(server.reading("GET", path(FEATURES, feature, "history")), limit, cursor);
  }

  @Override
  public FeaturePage activity(String feature, int limit, Optional<String> cursor) {
    return states(server.reading("GET", path(FEATURES, feature, "activity")), limit, cursor);
  }

  private FeaturePage states(ServerRequest listing, int limit, Optional<String> cursor) {
    Page<ObjectNode> states =
        FeatureServer.pages(
            limit,
            cursor,
            (size, place) ->
                server
                    .find(FeatureServer.part(listing, size, place), FeaturePage.class)
                    .map(page -> new Page<>(page.features(), page.next()))
                    .orElseGet(() -> new Page<>(List.of(), Optional.empty())));
    return new FeaturePage(states.items(), states.next());
  }

  @Override
  public CollectionAdministration administration() {
    return this;
  }

  @Override
  public CollectionTransfer transfer() {
    return new HttpFeatureTransfer(server, id);
  }

  @Override
  public FeatureCollectionInfo info() {
    return server.send(server.reading("GET", path()), FeatureCollectionInfo.class);
  }

  @Override
  public FeatureCollectionInfo create(CollectionSettings settings) {
    ServerResponse serverResponse =
        server.connection().send(server.writing("PUT", path()).json(WireJson.tree(settings)));
    if (serverResponse.code().equals("already-exists") && actual(serverResponse).isPresent()) {
      throw new FeatureCollectionExistsException(
          WireJson.read(actual(serverResponse).get(), FeatureCollectionInfo.class));
    }
    return WireJson.read(serverResponse.orThrow().json(), FeatureCollectionInfo.class);
  }

  @Override
  public FeatureCollectionInfo update(CollectionSettings settings) {
    return server.send(
        server.writing("PATCH", path()).json(WireJson.tree(settings)), FeatureCollectionInfo.class);
  }

  @Override
  public CollectionRemoval delete() {
    return server.send(server.writing("DELETE", path()), CollectionRemoval.class);
  }

  @Override
  public FeatureCollectionInfo restore() {
    return server.send(server.writing("POST", path("restore")), FeatureCollectionInfo.class);
  }

  @Override
  public CollectionRemoval purge() {
    return server.sendPatiently(server.writing("POST", path("purge")), CollectionRemoval.class);
  }
}
