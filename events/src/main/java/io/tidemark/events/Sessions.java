// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.events.model.NameValidator;
import io.tidemark.events.model.SessionInfo;
import io.tidemark.events.store.NamespaceKeys.Kind;
import io.tidemark.events.store.NamespaceStore;
import io.tidemark.events.store.NamespaceStore.Document;
import io.tidemark.events.store.SessionJson;
import io.tidemark.events.store.UnreadableDocumentException;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of a namespace: the processes that work on its events. They are informational: claims
 * don't depend on them, as each claim has a lease of its own.
 */
public final class Sessions {

  private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

  private final NamespaceStore namespaceStore;

  /** Documents last written by this object, so that a heartbeat is one request. */
  private final Map<String, Document> written = new ConcurrentHashMap<>();

  Sessions(NamespaceStore namespaceStore) {
    this.namespaceStore = namespaceStore;
  }

  /** Registers a session, or replaces an existing one. */
  public SessionInfo register(String sessionId, ObjectNode metadata) {
    NameValidator.session(sessionId);
    Instant now = namespaceStore.now();
    ObjectNode json = SessionJson.begin(sessionId, namespaceStore.namespace(), metadata, now);
    begin(sessionId, json);
    return new SessionInfo(sessionId, namespaceStore.namespace(), now, now, metadata, false);
  }

  /**
   * Records that a session is alive; registers it without metadata if it doesn't exist. A
   * concurrent heartbeat of another writer counts as this one.
   */
  public SessionInfo heartbeat(String sessionId) {
    NameValidator.session(sessionId);
    return Optional.ofNullable(written.get(sessionId))
        .flatMap(known -> writeHeartbeat(sessionId, known))
        .or(
            () ->
                read(namespaceStore.layout().session(sessionId))
                    .flatMap(found -> any(sessionId, found)))
        .orElseGet(() -> register(sessionId, CanonicalJson.object()));
  }

  /** Writes a heartbeat; empty when the stored session has changed, or the document is invalid. */
  private Optional<SessionInfo> writeHeartbeat(String sessionId, Document known) {
    ObjectNode json = SessionJson.heartbeat(known.json(), namespaceStore.now());
    Optional<SessionInfo> shown = shown(json);
    return shown.isPresent() && write(sessionId, json, known.etag()) ? shown : Optional.empty();
  }

  /**
   * Writes a heartbeat over a version just read; if that fails, another writer's heartbeat counts.
   */
  private Optional<SessionInfo> any(String sessionId, Document found) {
    return writeHeartbeat(sessionId, found).or(() -> shown(found.json()));
  }

  /** Writes a session, whether or not one exists. */
  private void begin(String sessionId, ObjectNode json) {
    written.remove(sessionId);
    String key = namespaceStore.layout().session(sessionId);
    Body body = Body.of(CanonicalJson.write(json));
    try {
      if (namespaceStore.store().put(key, body, Condition.none())
          instanceof WriteResult.Written done) {
        written.put(sessionId, new Document(json, done.etag()));
      }
    } catch (OutcomeUnknownException e) {
      LOG.debug("the session {} is in doubt: {}", sessionId, e.getMessage());
    }
  }

  private boolean write(String sessionId, ObjectNode json, ETag expected) {
    written.remove(sessionId);
    try {
      Optional<ETag> done =
          namespaceStore.write(
              namespaceStore.layout().session(sessionId), Optional.of(expected), json);
      done.ifPresent(etag -> written.put(sessionId, new Document(json, etag)));
      return done.isPresent();
    } catch (OutcomeUnknownException e) {
      LOG.debug("a heartbeat of {} is in doubt: {}", sessionId, e.getMessage());
      return false;
    }
  }

  /**
   * Reads a session; empty when there is none, or when its document is invalid and may be replaced.
   */
  private Optional<Document> read(String key) {
    try {
      return namespaceStore.read(key);
    } catch (UnreadableDocumentException e) {
      LOG.warn("{} {}", key, e.problem());
      return Optional.empty();
    }
  }

  /** Returns all sessions, by id; those that can't be read are left out. */
  public List<SessionInfo> list() {
    return list("", Integer.MAX_VALUE);
  }

  /** Returns up to {@code limit} sessions after the given id, which needn't exist. */
  public List<SessionInfo> listAfter(String sessionId, int limit) {
    NameValidator.session(sessionId);
    return list(namespaceStore.layout().session(sessionId), limit);
  }

  /** Returns the first sessions by id, up to {@code limit}. */
  public List<SessionInfo> list(int limit) {
    return list("", limit);
  }

  private List<SessionInfo> list(String after, int limit) {
    try (Stream<ObjectInfo> keys =
        namespaceStore.list(namespaceStore.layout().folder(Kind.SESSIONS), after)) {
      return keys.flatMap(info -> read(info.key()).stream())
          .flatMap(found -> shown(found.json()).stream())
          .limit(limit)
          .toList();
    }
  }

  private Optional<SessionInfo> shown(ObjectNode json) {
    Instant dead = namespaceStore.now().minus(namespaceStore.options().sessionTtl());
    try {
      return Optional.of(SessionJson.read(json, heard -> heard.isBefore(dead)));
    } catch (UnreadableDocumentException e) {
      LOG.warn("a session of {} {}", namespaceStore.namespace(), e.problem());
      return Optional.empty();
    }
  }
}
