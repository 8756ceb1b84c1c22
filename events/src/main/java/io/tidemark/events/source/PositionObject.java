// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.store.Layout;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The object in which a source writes down how far it is. What it says is always true, whoever of
 * several wrote it: all up to there has been published. So one that is older than it could be, or
 * is lost, makes others publish again what they did already, and nothing worse.
 */
final class PositionObject {

  private static final Logger LOG = LoggerFactory.getLogger(PositionObject.class);
  private static final int LONGEST_NAME = 512;

  private final ObjectStore store;
  private final String key;
  private final String name;
  private Optional<ETag> version = Optional.empty();

  private PositionObject(EventBus bus, String folder, String name) {
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new InvalidNameException(
          "a source of events can't be called \""
              + name.substring(0, Math.min(name.length(), 80))
              + "\"; use 1 to "
              + LONGEST_NAME
              + " characters");
    }
    this.store = bus.store();
    this.name = name;
    this.key = bus.prefix() + folder + URLEncoder.encode(name, UTF_8) + ".json";
  }

  /** For what a ledger's commits carry, which may be for any namespace. */
  static PositionObject ofOutbox(EventBus bus, String name) {
    return new PositionObject(bus, Layout.OUTBOXES, name);
  }

  /** For what becomes events of one namespace. */
  static PositionObject ofSource(EventBus bus, Namespace namespace, String name) {
    return new PositionObject(bus, Layout.SOURCES + namespace.name() + "/", name);
  }

  /**
   * What it says; empty when there is none. One that can't be read says nothing, that is an object
   * without fields.
   */
  Optional<ObjectNode> read() {
    Optional<StoredObject> found = store.get(key);
    version = found.map(StoredObject::etag);
    return found.map(this::parse);
  }

  private ObjectNode parse(StoredObject found) {
    try {
      if (CanonicalJson.parse(found.bytes()) instanceof ObjectNode json) {
        return json;
      }
      LOG.warn("{} isn't a JSON object; what it is about is published again", key);
    } catch (IOException e) {
      LOG.warn("{} is no JSON; what it is about is published again: {}", key, e.getMessage());
    }
    return CanonicalJson.object();
  }

  /** Writes it, unless another has since it was last read or written here; whether it did. */
  boolean write(ObjectNode position) {
    ObjectNode json =
        position
            .deepCopy()
            .put("source", name)
            .put("updated_at", UtcTimestamp.format(store.clock().instant()));
    WriteResult result =
        store.put(
            key,
            Body.of(CanonicalJson.write(json)),
            version.map(Condition::ifMatch).orElseGet(Condition::ifAbsent));
    if (result instanceof WriteResult.Written written) {
      version = Optional.of(written.etag());
      return true;
    }
    return false;
  }
}
