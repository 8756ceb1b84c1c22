// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.Geometry;
import io.tidemark.features.model.Actor;
import io.tidemark.features.model.CollectionInfo;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.Guid;
import io.tidemark.features.model.Txn;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the namespaces of one batch. It makes the same namespaces as the trigger does
 * for plain SQL; a test compares the two.
 *
 * @param actor the application and person that write
 * @param storageId the storage
 * @param collection the collection
 * @param txn the transaction
 * @param now when it began, in milliseconds by the server's clock
 * @param clock the server's clock when the batch began
 */
record NamespaceBuilder(
    Actor actor, String storageId, CollectionInfo collection, Txn txn, long now, long clock) {

  /**
   * Place and size of a feature.
   *
   * @param qrid its quadkey
   * @param extend the longer side of its bounding box
   */
  record Extent(String qrid, long extend) {

    /**
     * Returns the extent of a missing geometry or of a point; null if PostGIS has to compute it.
     */
    static @Nullable Extent withoutPostgis(@Nullable Geometry geometry) {
      if (geometry == null) {
        return new Extent("1200000000000000000000000000000", 0);
      }
      return geometry.isPoint() ? new Extent(geometry.quadkeyOfPoint(), 0) : null;
    }
  }

  /** Returns a copy for rows that are written at a later time of the server's clock. */
  NamespaceBuilder withClock(long later) {
    return new NamespaceBuilder(actor, storageId, collection, txn, now, later);
  }

  /** Makes the first state of a feature. */
  Feature created(Feature sent, String id, Extent extent, long i) {
    Feature copy = new Feature(sent.data().deepCopy(), sent.geometry());
    return createdInPlace(copy, id, extent, i);
  }

  /** Turns a feature, which the caller must not use any more, into its first state. */
  Feature createdInPlace(Feature sent, String id, Extent extent, long i) {
    String author =
        actor.author() != null ? actor.author() : collection.author().orElse(actor.appId());
    Lineage lineage = new Lineage("CREATE", 1, null, now, author, now);
    return stamped(sent.data(), id, namespace(sent, extent, i, lineage), sent.geometry());
  }

  /** Makes the next state of a feature. */
  Feature updated(Feature sent, String id, Extent extent, long i, JsonNode was) {
    PreviousVersion old = new PreviousVersion(id, was);
    long created = old.number("createdAt", now);
    boolean known = actor.author() != null;
    Lineage lineage =
        new Lineage(
            "UPDATE",
            old.number("version", 0) + 1,
            old.uuid(),
            created,
            known ? actor.author() : was.path("author").asText(actor.appId()),
            known ? now : old.number("author_ts", created));
    return stamped(
        sent.data().deepCopy(), id, namespace(sent, extent, i, lineage), sent.geometry());
  }

  /** Values that a state inherits from the states before. */
  private record Lineage(
      String action,
      long version,
      @Nullable String puuid,
      long created,
      @Nullable String author,
      long authored) {}

  /**
   * Builds the namespace with its keys in PostgreSQL's storage order, which saves sorting there.
   */
  private ObjectNode namespace(Feature sent, Extent extent, long i, Lineage lineage) {
    ObjectNode xyz = JsonNodeFactory.instance.objectNode();
    JsonNode given = sent.data().path("properties").path(Feature.XYZ);
    String crid = given.path("crid").isTextual() ? given.get("crid").textValue() : null;
    xyz.put("txn", txn.value()).put("crid", crid);
    xyz.put("mrid", crid == null ? extent.qrid() : crid).put("qrid", extent.qrid());
    xyz.set("tags", given.path("tags").isArray() ? given.get("tags") : xyz.arrayNode());
    xyz.put("uuid", new Guid(storageId, collection.id(), txn.day(), i).toString());
    xyz.put("puuid", lineage.puuid()).put("rt_ts", clock);
    xyz.put("action", lineage.action())
        .put("app_id", actor.appId())
        .put("author", lineage.author());
    xyz.put("extend", extent.extend()).put("version", lineage.version()).put("txn_next", 0);
    xyz.put("txn_uuid", new Guid(storageId, "txn", txn.day(), txn.sequence()).toString());
    xyz.put("author_ts", lineage.authored()).put("createdAt", lineage.created());
    return xyz.put("stream_id", actor.streamId()).put("updatedAt", now);
  }

  private static Feature stamped(
      ObjectNode data, String id, ObjectNode xyz, @Nullable Geometry geometry) {
    propertiesOf(data, id).set(Feature.XYZ, xyz);
    return new Feature(data, geometry);
  }

  /**
   * Makes a state of the client's feature without its namespace; returns the properties, into which
   * the namespace is to be put.
   */
  static ObjectNode propertiesOf(ObjectNode data, String id) {
    data.put("id", id).put("type", "Feature");
    return data.path("properties") instanceof ObjectNode there
        ? there
        : data.putObject("properties");
  }
}
