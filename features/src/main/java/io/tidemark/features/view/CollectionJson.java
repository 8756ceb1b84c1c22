// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.model.CollectionInfo;
import java.util.Optional;

/** What became of a collection; what one is, {@link CollectionInfo#json} says itself. */
public final class CollectionJson {

  private CollectionJson() {}

  /** {@code {"deleted": "id"}}, or {@code {"deleted": null, "absent": "id"}}. */
  public static ObjectNode deleted(String id, Optional<CollectionInfo> deleted) {
    return gone("deleted", id, deleted);
  }

  /** {@code {"purged": "id"}}, or {@code {"purged": null, "absent": "id"}}. */
  public static ObjectNode purged(String id, Optional<CollectionInfo> purged) {
    return gone("purged", id, purged);
  }

  private static ObjectNode gone(String how, String id, Optional<CollectionInfo> was) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return was.isPresent() ? json.put(how, id) : json.putNull(how).put("absent", id);
  }
}
