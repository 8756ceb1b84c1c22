// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.EventBus;
import io.tidemark.events.Namespace;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.events.store.NamespaceKeys;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Register;
import io.tidemark.objects.Register.State;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store of the position of a source, in one object. A stored position is true for every follower:
 * all changes up to it have been published. An outdated or lost position only makes followers
 * publish the same events again.
 */
final class PositionStore {

  private static final Logger LOG = LoggerFactory.getLogger(PositionStore.class);
  private static final int LONGEST_NAME = 512;

  private final ObjectStore store;
  private final String key;
  private final String name;
  private final Register<ObjectNode> register;
  private State<ObjectNode> known = State.absent();

  private PositionStore(EventBus bus, String folder, String name) {
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
    this.register =
        store.register(
            key, Register.Format.of(found -> Optional.of(parse(found)), CanonicalJson::write));
  }

  /** Returns the store for the outbox of a ledger, which may have events of any namespace. */
  static PositionStore forOutbox(EventBus bus, String name) {
    return new PositionStore(bus, NamespaceKeys.OUTBOXES, name);
  }

  /** Returns the store for a source that publishes in one namespace. */
  static PositionStore forSource(EventBus bus, Namespace namespace, String name) {
    return new PositionStore(bus, NamespaceKeys.SOURCES + namespace.name() + "/", name);
  }

  /**
   * Reads the position; empty when there is none. An unreadable one counts as an object without
   * fields.
   */
  Optional<ObjectNode> read() {
    known = register.read();
    return known.value();
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

  /**
   * Writes a position.
   *
   * @param yields whether to keep a position that another process has written since this one last
   *     read or wrote it
   * @return the kept position of the other process
   */
  Optional<ObjectNode> write(ObjectNode position, Predicate<ObjectNode> yields) {
    State<ObjectNode> before = known;
    ObjectNode json =
        position
            .deepCopy()
            .put("source", name)
            .put("updated_at", UtcTimestamp.format(store.clock().instant()));
    known =
        register.update(
            before,
            seen ->
                !seen.version().equals(before.version()) && seen.value().filter(yields).isPresent()
                    ? Optional.empty()
                    : Optional.of(json));
    return known.value().filter(written -> !written.equals(json));
  }
}
