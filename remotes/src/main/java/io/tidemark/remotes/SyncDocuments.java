// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.NameService;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Register;
import io.tidemark.objects.Register.State;
import io.tidemark.objects.StoredObject;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.objects.internal.threads.Parallel;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JSON documents in which remotes are remembered, below {@code ns-sync/} in the store of the
 * names, where no record is. Each is replaced only in the version that was read; fields that aren't
 * known here are kept. One that makes no sense is as good as none, with a warning.
 */
final class SyncDocuments {

  private static final Logger LOG = LoggerFactory.getLogger(SyncDocuments.class);
  private static final String ROOT = "ns-sync/";
  private static final String JSON = ".json";
  private static final String VERSION = "schema_version";

  private final ObjectStore store;

  private SyncDocuments(ObjectStore store) {
    this.store = store;
  }

  static SyncDocuments of(NameService names) {
    return new SyncDocuments(
        names
            .objects()
            .orElseThrow(
                () ->
                    new InvalidLocationException(
                        "the names in "
                            + names.location()
                            + " have no object store beside them, where remotes are remembered; name"
                            + " one, as in dynamodb://table?objects=s3://bucket/prefix")));
  }

  Clock clock() {
    return store.clock();
  }

  /**
   * Returns a name as one step of a path: {@code %}, {@code :}, {@code /} and {@code \} are
   * escaped.
   */
  static String step(String name) {
    return name.replace("%", "%25").replace(":", "%3A").replace("/", "%2F").replace("\\", "%5C");
  }

  /** Returns the name that was escaped as a step. */
  static String name(String step) {
    return step.replace("%5C", "\\").replace("%2F", "/").replace("%3A", ":").replace("%25", "%");
  }

  private static String key(String folder, String name) {
    return ROOT + folder + "/" + step(name) + JSON;
  }

  /** Returns a document; empty when there is none, or none that makes sense. */
  Optional<ObjectNode> read(String folder, String name) {
    return read(key(folder, name));
  }

  private Optional<ObjectNode> read(String key) {
    return store.get(key).flatMap(found -> parse(key, found));
  }

  private Optional<ObjectNode> parse(String key, StoredObject found) {
    try {
      JsonNode json = CanonicalJson.parse(found.bytes());
      if (json instanceof ObjectNode object && json.path(VERSION).asInt(1) == 1) {
        return Optional.of(object);
      }
      LOG.warn("{} in {} isn't a document of version 1, and is passed over", key, store);
    } catch (IOException e) {
      LOG.warn("{} in {} is no JSON, and is passed over: {}", key, store, e.getMessage());
    }
    return Optional.empty();
  }

  /** Logs that a document with invalid fields is skipped. */
  void warn(String folder, String name, String problem) {
    LOG.warn("{} in {} {}, and is passed over", key(folder, name), store, problem);
  }

  /** Those of a folder that make sense, by the names of their files, without {@code .json}. */
  SortedMap<String, ObjectNode> all(String folder) {
    String prefix = ROOT + folder + "/";
    List<String> keys = keys(prefix);
    SortedMap<String, ObjectNode> documents = new ConcurrentSkipListMap<>();
    new Parallel()
        .run(
            keys.stream()
                .<Runnable>map(
                    key ->
                        () ->
                            read(key)
                                .ifPresent(
                                    json ->
                                        documents.put(
                                            key.substring(
                                                prefix.length(), key.length() - JSON.length()),
                                            json)))
                .toList());
    return documents;
  }

  /** Returns the names of the files of a folder, without {@code .json}. */
  List<String> names(String folder) {
    String prefix = ROOT + folder + "/";
    return keys(prefix).stream()
        .map(key -> key.substring(prefix.length(), key.length() - JSON.length()))
        .toList();
  }

  private List<String> keys(String prefix) {
    try (Stream<ObjectInfo> found = store.list(prefix)) {
      return found.map(ObjectInfo::key).filter(key -> key.endsWith(JSON)).toList();
    }
  }

  /** Forgets all of a folder, also what makes no sense. */
  void removeAll(String folder) {
    keys(ROOT + folder + "/").forEach(store::delete);
  }

  /**
   * Changes a document, or makes it.
   *
   * @param change of what there is, or of an empty document; empty to leave it as it is
   * @return whether it was changed
   */
  boolean edit(String folder, String name, Function<ObjectNode, Optional<ObjectNode>> change) {
    String key = key(folder, name);
    AtomicBoolean changed = new AtomicBoolean();
    State<ObjectNode> unused =
        store
            .register(key, Register.Format.of(found -> parse(key, found), CanonicalJson::write))
            .update(
                seen -> {
                  ObjectNode before =
                      seen.value().map(ObjectNode::deepCopy).orElseGet(CanonicalJson::object);
                  Optional<ObjectNode> next = change.apply(before);
                  changed.set(next.isPresent());
                  return next.map(json -> json.put(VERSION, 1));
                });
    return changed.get();
  }

  /** Forgets a document that is as expected, in the version that was looked at if the store can. */
  void removeIf(String folder, String name, Predicate<ObjectNode> expected) {
    String key = key(folder, name);
    Optional<StoredObject> there = store.get(key);
    if (there.flatMap(found -> parse(key, found)).filter(expected).isEmpty()) {
      return;
    }
    if (!store.capabilities().conditionalDelete()) {
      store.delete(key);
      return;
    }
    try {
      DeleteResult unused = store.deleteIfMatch(key, there.orElseThrow().etag());
    } catch (OutcomeUnknownException e) {
      // It is gone, or another process has changed it.
    }
  }

  /** Forgets a document; doing it again changes nothing. */
  void remove(String folder, String name) {
    store.delete(key(folder, name));
  }
}
