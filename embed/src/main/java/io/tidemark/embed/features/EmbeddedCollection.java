// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.features;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.features.CollectionAdministration;
import io.tidemark.api.features.CollectionRemoval;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CollectionTransfer;
import io.tidemark.api.features.ExpectedState;
import io.tidemark.api.features.FeatureBatch;
import io.tidemark.api.features.FeatureCollectionExistsException;
import io.tidemark.api.features.FeatureCollectionInfo;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeaturePage;
import io.tidemark.api.features.FeaturePutResult;
import io.tidemark.api.features.FoundFeatures;
import io.tidemark.api.features.LookupRequest;
import io.tidemark.api.features.WrittenFeatures;
import io.tidemark.features.activity.Activity;
import io.tidemark.features.collection.CollectionCatalog;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.collection.CreationResult;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.InvalidRequestException;
import io.tidemark.features.read.ReadTransaction;
import io.tidemark.features.read.Slice;
import io.tidemark.features.view.BatchJson;
import io.tidemark.features.view.PointInTime;
import io.tidemark.features.write.CommittedBatch;
import io.tidemark.features.write.RowResult;
import io.tidemark.features.write.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Collection in process. */
record EmbeddedCollection(FeatureUse use, String id)
    implements CollectionService, CollectionAdministration {

  @Override
  public FoundFeatures lookup(LookupRequest request) {
    Optional<PointInTime> past = request.at().map(FeatureMoment::text).map(PointInTime::parse);
    return use.read(
        readTransaction -> {
          List<Feature> found = found(readTransaction, past, request);
          return new FoundFeatures(
              FeatureResults.features(found), missing(readTransaction, found, request.ids()));
        });
  }

  private List<Feature> found(
      ReadTransaction readTransaction, Optional<PointInTime> past, LookupRequest request) {
    if (past.isPresent()) {
      return past.get().byIds(readTransaction, id, request.ids());
    }
    return request.deleted()
        ? readTransaction.deleted(id, request.ids())
        : readTransaction.byIds(id, request.ids());
  }

  /** The collection is read only for its prefix of ids, when something is missing. */
  private List<String> missing(
      ReadTransaction readTransaction, List<Feature> found, List<String> ids) {
    if (found.size() >= ids.size()) {
      return List.of();
    }
    CollectionInfo collection = readTransaction.collection(id);
    Set<String> there =
        found.stream().map(feature -> feature.id().orElse("")).collect(Collectors.toSet());
    return ids.stream().filter(each -> !there.contains(collection.stored(each))).toList();
  }

  @Override
  public FeaturePutResult put(String featureId, ObjectNode feature, ExpectedState expected) {
    ObjectNode sent = feature.deepCopy();
    if (!sent.hasNonNull("id")) {
      sent.put("id", featureId);
    }
    Feature parsed = Feature.of(sent);
    if (!parsed.id().orElse("").equals(featureId)) {
      throw new InvalidRequestException(
          "the feature has the id '%s', its path '%s'; give the same, or none in the feature"
              .formatted(parsed.id().orElse(""), featureId));
    }
    CommittedBatch committedBatch = write(List.of(write(parsed, expected)), Map.of());
    return put(committedBatch.result().rows().get(0));
  }

  private static Write write(Feature feature, ExpectedState expected) {
    if (expected instanceof ExpectedState.Absent) {
      return Write.create(feature);
    }
    if (expected instanceof ExpectedState.Present) {
      return Write.update(feature);
    }
    return expected instanceof ExpectedState.Uuid state
        ? new Write.Update(feature, state.uuid())
        : Write.upsert(feature);
  }

  private static FeaturePutResult put(RowResult row) {
    if (row instanceof RowResult.Created created) {
      return new FeaturePutResult.Created(created.state().json());
    }
    if (row instanceof RowResult.Updated updated) {
      return new FeaturePutResult.Updated(updated.state().json());
    }
    if (row instanceof RowResult.Conflict conflict) {
      return new FeaturePutResult.Conflict(
          conflict.message() + "; nothing was written: look at it, then decide",
          conflict.actual().map(Feature::json));
    }
    if (row instanceof RowResult.Missing missing) {
      return new FeaturePutResult.Conflict(missing.message(), Optional.empty());
    }
    throw new InvalidFeatureException(((RowResult.Invalid) row).message());
  }

  @Override
  public WrittenFeatures write(FeatureBatch batch) {
    // Features are taken apart as they are read.
    BatchJson writes = BatchJson.parse(batch.json().deepCopy());
    return FeatureResults.written(write(writes.writes(), writes.messages()));
  }

  private CommittedBatch write(List<Write> writes, Map<String, String> messages) {
    return use.commit(() -> use.features().write(use.actor(), id, writes, messages));
  }

  @Override
  public FeaturePage history(String featureId, int limit, Optional<String> cursor) {
    Slice<Feature> states =
        use.read(readTransaction -> readTransaction.versions(id, featureId, cursor, limit));
    return new FeaturePage(FeatureResults.features(states.items()), states.next());
  }

  @Override
  public FeaturePage activity(String featureId, int limit, Optional<String> cursor) {
    Slice<Activity> done =
        use.read(readTransaction -> readTransaction.activity(id, featureId, cursor, limit));
    return new FeaturePage(
        done.items().stream().map(each -> (ObjectNode) each.json()).toList(), done.next());
  }

  @Override
  public CollectionAdministration administration() {
    return this;
  }

  @Override
  public CollectionTransfer transfer() {
    return new EmbeddedFeatureTransfer(use, id);
  }

  @Override
  public FeatureCollectionInfo info() {
    return FeatureResults.collection(use.read(readTransaction -> readTransaction.collection(id)));
  }

  @Override
  public FeatureCollectionInfo create(CollectionSettings settings) {
    CollectionOptions options = FeatureResults.options(settings);
    CreationResult creationResult = change(all -> all.create(id, options));
    if (creationResult instanceof CreationResult.Exists there) {
      throw new FeatureCollectionExistsException(FeatureResults.collection(there.info()));
    }
    return FeatureResults.collection(((CreationResult.Created) creationResult).info());
  }

  @Override
  public FeatureCollectionInfo update(CollectionSettings settings) {
    CollectionOptions options = FeatureResults.options(settings);
    return FeatureResults.collection(change(all -> all.update(id, options)));
  }

  @Override
  public CollectionRemoval delete() {
    return removal(CollectionRemoval.Kind.DELETED, change(all -> all.delete(id)));
  }

  @Override
  public FeatureCollectionInfo restore() {
    return FeatureResults.collection(change(all -> all.restore(id)));
  }

  @Override
  public CollectionRemoval purge() {
    return removal(CollectionRemoval.Kind.PURGED, change(all -> all.purge(id)));
  }

  private CollectionRemoval removal(CollectionRemoval.Kind kind, Optional<CollectionInfo> removed) {
    return new CollectionRemoval(kind, id, removed.isPresent());
  }

  private <T> T change(Function<CollectionCatalog, T> change) {
    return use.transact(transaction -> change.apply(transaction.collections()));
  }
}
