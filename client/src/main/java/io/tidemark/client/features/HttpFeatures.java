// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.Answer;
import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Features of a server. What it refuses ends with an exception that has the server's code and
 * words; a lost race is an outcome.
 *
 * <p>It may be used by any number of threads, and needs no closing.
 */
public final class HttpFeatures {

  private static final String COLLECTIONS = "collections";
  private static final String FEATURES = "features";
  private static final int PAGE = 1000;

  private final Connection connection;
  private final List<String> actor;
  private final Optional<String> minTxn;

  private HttpFeatures(Connection connection, List<String> actor, Optional<String> minTxn) {
    this.connection = connection;
    this.actor = List.copyOf(actor);
    this.minTxn = minTxn;
  }

  /** Those behind a connection. */
  public static HttpFeatures of(Connection connection) {
    return new HttpFeatures(connection, List.of(), Optional.empty());
  }

  /** Those of a server, by its location. */
  public static HttpFeatures at(String location) {
    return of(Connection.open(location));
  }

  /** The same for an application that writes. */
  public HttpFeatures app(String id) {
    return with("Tidemark-App", id);
  }

  /** The same on behalf of somebody else than whose token it is, which takes an administrator. */
  public HttpFeatures by(String author) {
    return with("Tidemark-Author", author);
  }

  /** The same for who reads features at least as they were with a transaction. */
  public HttpFeatures since(long txn) {
    return new HttpFeatures(connection, actor, Optional.of(Long.toString(txn)));
  }

  private Request newEnough(Request request) {
    return minTxn.map(txn -> request.query("minTxn", txn)).orElse(request);
  }

  private HttpFeatures with(String header, String value) {
    List<String> more = new ArrayList<>(actor);
    more.add(header);
    more.add(URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    return new HttpFeatures(connection, more, minTxn);
  }

  /** The transaction log. */
  public HttpLog log() {
    return new HttpLog(connection);
  }

  // --- collections

  /** All collections that aren't deleted, by id. */
  public ArrayNode collections() {
    return collections(Request.get("v1", COLLECTIONS));
  }

  /** All collections, by id. */
  public ArrayNode collectionsWithDeleted() {
    return collections(Request.get("v1", COLLECTIONS).query("deleted", "true"));
  }

  private ArrayNode collections(Request request) {
    ArrayNode found = JsonNodeFactory.instance.arrayNode();
    Optional<String> cursor = Optional.empty();
    do {
      Request page = request.query("limit", Integer.toString(PAGE));
      JsonNode answer = json(cursor.isPresent() ? page.query("cursor", cursor.get()) : page);
      answer.path("items").forEach(found::add);
      cursor = Optional.ofNullable(answer.path("next").textValue());
    } while (cursor.isPresent());
    return found;
  }

  /** A collection, deleted or not. */
  public JsonNode collection(String id) {
    return json(Request.get("v1", COLLECTIONS, id));
  }

  /** Makes a collection, which must not be there. */
  public JsonNode create(String id, ObjectNode options) {
    return json(written(Request.of("PUT", "v1", COLLECTIONS, id).json(options)));
  }

  /** Changes the options that are given. */
  public JsonNode update(String id, ObjectNode options) {
    return json(written(Request.of("PATCH", "v1", COLLECTIONS, id).json(options)));
  }

  public JsonNode enableHistory(String id) {
    return history(id, true);
  }

  public JsonNode disableHistory(String id) {
    return history(id, false);
  }

  private JsonNode history(String id, boolean enabled) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("enabled", enabled);
    return json(written(Request.of("PUT", "v1", COLLECTIONS, id, "history").json(body)));
  }

  /** Hides a collection; nothing is lost. */
  public JsonNode delete(String id) {
    return json(written(Request.of("DELETE", "v1", COLLECTIONS, id)));
  }

  /** Brings a deleted collection back. */
  public JsonNode restore(String id) {
    return json(written(Request.of("POST", "v1", COLLECTIONS, id, "restore")));
  }

  /** Drops a collection with all its history. */
  public JsonNode purge(String id) {
    return json(written(Request.of("POST", "v1", COLLECTIONS, id, "purge")));
  }

  // --- features

  /** A feature as it is; empty when there is none. */
  public Optional<JsonNode> feature(String collection, String id) {
    return found(Request.get("v1", COLLECTIONS, collection, FEATURES, id));
  }

  /** A state by its GUID; empty when nobody keeps it. */
  public Optional<JsonNode> state(String guid) {
    return found(Request.get("v1", "guids", guid));
  }

  /** States by their GUIDs, with those that are {@code missing}. */
  public JsonNode states(List<String> guids) {
    ObjectNode found = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection");
    ArrayNode features = found.putArray(FEATURES);
    ArrayNode missing = found.putArray("missing");
    for (String guid : guids) {
      state(guid).ifPresentOrElse(features::add, () -> missing.add(guid));
    }
    return found;
  }

  /** Features by their ids, in that order, with the ids of those that are {@code missing}. */
  public JsonNode features(String collection, List<String> ids) {
    return lookup(collection, ids, JsonNodeFactory.instance.objectNode());
  }

  /** The last states of those that are deleted. */
  public JsonNode deletedFeatures(String collection, List<String> ids) {
    return lookup(collection, ids, JsonNodeFactory.instance.objectNode().put("deleted", true));
  }

  /**
   * Features as they were.
   *
   * @param moment the number of a transaction, or a time
   */
  public JsonNode featuresAt(String collection, List<String> ids, String moment) {
    return lookup(collection, ids, JsonNodeFactory.instance.objectNode().put("at", moment));
  }

  private JsonNode lookup(String collection, List<String> ids, ObjectNode body) {
    ids.forEach(body.putArray("ids")::add);
    return read(Request.of("POST", "v1", COLLECTIONS, collection, "lookup").json(body));
  }

  /** All states of a feature that are kept, the first first; none when there never was one. */
  public JsonNode history(String collection, String id) {
    return pages(Request.get("v1", COLLECTIONS, collection, FEATURES, id, "history"));
  }

  /** What was done to a feature, the newest first; nothing when there never was one. */
  public JsonNode activity(String collection, String id) {
    return pages(Request.get("v1", COLLECTIONS, collection, FEATURES, id, "activity"));
  }

  /** All there is, or nothing when it isn't there. */
  private JsonNode pages(Request first) {
    ObjectNode all = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection");
    ArrayNode features = all.putArray(FEATURES);
    Request limited = first.query("limit", Integer.toString(PAGE));
    JsonNode page = found(limited).orElse(all);
    page.path(FEATURES).forEach(features::add);
    while (page.path("next").isTextual()) {
      page = read(limited.query("cursor", page.path("next").textValue()));
      page.path(FEATURES).forEach(features::add);
    }
    return all;
  }

  /**
   * Features by place, tags, properties and more, as many as the {@code limit} says, with where to
   * go on as {@code next}. They are fetched in pages, which are all of one moment.
   */
  public JsonNode query(ObjectNode question) {
    int most = question.path("limit").asInt(PAGE);
    ObjectNode asked = question.deepCopy();
    ObjectNode all = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection");
    ArrayNode features = all.putArray(FEATURES);
    JsonNode next;
    do {
      asked.put("limit", Math.min(PAGE, most - features.size()));
      JsonNode page = read(Request.of("POST", "v1", FEATURES, "query").json(asked));
      page.path(FEATURES).forEach(features::add);
      next = page.path("next");
      asked.set("cursor", next);
    } while (next.isTextual() && features.size() < most);
    all.set("next", next);
    return all;
  }

  /** How the database would answer it. */
  public JsonNode explain(ObjectNode question) {
    ObjectNode asked = question.deepCopy();
    asked.put("limit", Math.min(PAGE, question.path("limit").asInt(PAGE)));
    return read(Request.of("POST", "v1", FEATURES, "query").query("explain", "true").json(asked));
  }

  /** Writes one feature. */
  public PutOutcome put(String collection, String id, ObjectNode feature, Expected expected) {
    Request plain = Request.of("PUT", "v1", COLLECTIONS, collection, FEATURES, id).json(feature);
    Request request = plain;
    if (expected instanceof Expected.Absence) {
      request = plain.header("If-None-Match", "*");
    } else if (expected instanceof Expected.State state) {
      request = plain.header("If-Match", '"' + state.uuid() + '"');
    }
    Answer answer = connection.send(written(request));
    if (answer.status() == 412) {
      JsonNode actual = answer.json().path("actual");
      return new PutOutcome.Conflict(actual.isObject() ? Optional.of(actual) : Optional.empty());
    }
    return new PutOutcome.Written(answer.orThrow().json());
  }

  /**
   * Does a batch, all of it or nothing.
   *
   * @param batch {@code writes} and {@code messages}, a FeatureCollection or a Feature
   */
  public BatchOutcome write(String collection, ObjectNode batch) {
    Answer answer =
        connection.send(
            written(Request.of("POST", "v1", COLLECTIONS, collection, FEATURES).json(batch)));
    if (!answer.isSuccess() && !answer.code().isEmpty() && answer.json().has("rows")) {
      ObjectNode refused = JsonNodeFactory.instance.objectNode().put("committed", false);
      refused.set("rows", answer.json().path("rows"));
      return new BatchOutcome.Refused(refused);
    }
    return new BatchOutcome.Committed((ObjectNode) answer.orThrow().json());
  }

  /** Loads a file, all of it or nothing, and tells what became of it. */
  public JsonNode load(String collection, HttpLoad load) {
    Request request = Request.of("POST", "v1", COLLECTIONS, collection, "load");
    request = request.query("format", load.format());
    for (Map.Entry<String, String> parameter : load.parameters().entrySet()) {
      request = request.query(parameter.getKey(), parameter.getValue());
    }
    request = load.compressed() ? request.header("Content-Encoding", "gzip") : request;
    return connection
        .sendPatiently(
            written(request.body(load.type(), BodyPublishers.ofInputStream(load.content()))))
        .orThrow()
        .json();
  }

  /**
   * A whole collection.
   *
   * @param format {@code geojsonseq}, {@code rs} or {@code geoparquet}
   * @param moment the number of a transaction, or a time; empty for now
   */
  public HttpExport export(String collection, String format, Optional<String> moment) {
    Request request = Request.get("v1", COLLECTIONS, collection, "export").query("format", format);
    return new HttpExport(
        connection, moment.map(text -> request.query("at", text)).orElse(request));
  }

  /** Does what is due to keep the storage quick. */
  public JsonNode maintain(ObjectNode options) {
    return connection
        .sendPatiently(written(Request.of("POST", "v1", FEATURES, "maintain").json(options)))
        .orThrow()
        .json();
  }

  private Request written(Request request) {
    Request named = request;
    for (int i = 0; i < actor.size(); i += 2) {
      named = named.header(actor.get(i), actor.get(i + 1));
    }
    return named;
  }

  private JsonNode json(Request request) {
    return connection.send(request).orThrow().json();
  }

  /** What is asked with a body, because it may be long, and changes nothing all the same. */
  private JsonNode read(Request request) {
    try {
      return json(newEnough(request));
    } catch (OutcomeUnknownException e) {
      throw new StoreUnavailableException(
          "%s: the answer got lost; try again".formatted(request), e);
    }
  }

  private Optional<JsonNode> found(Request request) {
    Answer answer = connection.send(newEnough(request));
    return answer.status() == 404 && answer.code().equals("not-found")
        ? Optional.empty()
        : Optional.of(answer.orThrow().json());
  }
}
