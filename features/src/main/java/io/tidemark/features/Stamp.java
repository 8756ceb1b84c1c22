// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.geojson.Geometry;
import org.jspecify.annotations.Nullable;

/**
 * What the namespaces of one batch have in common. It makes the same namespaces as the trigger does
 * for plain SQL; a test holds the two together.
 *
 * @param actor who writes
 * @param storageId the storage
 * @param collection the collection
 * @param txn the transaction
 * @param now when it began, in milliseconds by the server's clock
 * @param clock what the server's clock said when the batch began
 */
record Stamp(
    Actor actor, String storageId, CollectionInfo collection, Txn txn, long now, long clock) {

  /**
   * Where a feature is, and how large.
   *
   * @param qrid its quadkey
   * @param extend the longer side of its bounding box
   */
  record Extent(String qrid, long extend) {

    /** Of nothing, and of a point; empty for what PostGIS has to measure. */
    static @Nullable Extent known(@Nullable Geometry geometry) {
      if (geometry == null) {
        return new Extent("1200000000000000000000000000000", 0);
      }
      return geometry.isPoint() ? new Extent(geometry.quadkeyOfPoint(), 0) : null;
    }
  }

  /** The same for what is written when the server's clock says something else. */
  Stamp at(long later) {
    return new Stamp(actor, storageId, collection, txn, now, later);
  }

  /** The first state of a feature. */
  Feature created(Feature sent, String id, Extent extent, long i) {
    Feature copy = new Feature(sent.data().deepCopy(), sent.geometry());
    return turnedInto(copy, id, extent, i);
  }

  /** The same of a feature that nobody uses any more, which becomes that state. */
  Feature turnedInto(Feature sent, String id, Extent extent, long i) {
    String author =
        actor.author() != null ? actor.author() : collection.author().orElse(actor.appId());
    ObjectNode xyz = common(sent, extent, i);
    xyz.putNull("puuid").put("action", "CREATE").put("version", 1).put("createdAt", now);
    xyz.put("author", author).put("author_ts", now);
    return stamped(sent.data(), id, xyz, sent.geometry());
  }

  /** The next state of a feature. */
  Feature updated(Feature sent, String id, Extent extent, long i, JsonNode was) {
    OldState old = new OldState(id, was);
    long created = old.number("createdAt", now);
    ObjectNode xyz = common(sent, extent, i);
    xyz.put("puuid", old.uuid());
    xyz.put("action", "UPDATE").put("version", old.number("version", 0) + 1);
    xyz.put("createdAt", created);
    if (actor.author() != null) {
      xyz.put("author", actor.author()).put("author_ts", now);
    } else {
      xyz.put("author", was.path("author").asText(actor.appId()));
      xyz.put("author_ts", old.number("author_ts", created));
    }
    return stamped(sent.data().deepCopy(), id, xyz, sent.geometry());
  }

  private ObjectNode common(Feature sent, Extent extent, long i) {
    ObjectNode xyz = JsonNodeFactory.instance.objectNode();
    xyz.put("uuid", new Guid(storageId, collection.id(), txn.day(), i).toString());
    xyz.put("txn", txn.value()).put("txn_next", 0);
    xyz.put("txn_uuid", new Guid(storageId, "txn", txn.day(), txn.sequence()).toString());
    xyz.put("updatedAt", now).put("rt_ts", clock).put("app_id", actor.appId());
    xyz.put("stream_id", actor.streamId());
    JsonNode given = sent.data().path("properties").path(Feature.XYZ);
    xyz.set("tags", given.path("tags").isArray() ? given.get("tags") : xyz.arrayNode());
    String crid = given.path("crid").isTextual() ? given.get("crid").textValue() : null;
    xyz.put("crid", crid).put("qrid", extent.qrid());
    xyz.put("mrid", crid == null ? extent.qrid() : crid).put("extend", extent.extend());
    return xyz;
  }

  private static Feature stamped(
      ObjectNode data, String id, ObjectNode xyz, @Nullable Geometry geometry) {
    propertiesOf(data, id).set(Feature.XYZ, xyz);
    return new Feature(data, geometry);
  }

  /** Makes a state of what was sent, but for its namespace, which is to be put in here. */
  static ObjectNode propertiesOf(ObjectNode data, String id) {
    data.put("id", id).put("type", "Feature");
    return data.path("properties") instanceof ObjectNode there
        ? there
        : data.putObject("properties");
  }
}
