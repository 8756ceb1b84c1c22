// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import io.tidemark.names.config.Graph.Node;
import io.tidemark.objects.directory.Durability;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds in a graph what a connection is made of. */
final class ConnectionReader {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionReader.class);

  private static final String CONNECTION = "Connection";
  private static final String STORAGE = "Storage";
  private static final String PUBLISHER = "Publisher";

  private static final Set<String> S3_FIELDS =
      Set.of(
          "s3Bucket",
          "s3Prefix",
          "s3Endpoint",
          "s3ReadTimeoutMs",
          "s3WriteTimeoutMs",
          "s3ListTimeoutMs",
          "s3MaxRetries",
          "s3RetryBaseDelayMs",
          "s3RetryMaxDelayMs",
          "s3MaxConcurrentRequests");
  private static final Set<String> DYNAMODB_FIELDS =
      Set.of("dynamodbTable", "dynamodbRegion", "dynamodbEndpoint", "dynamodbTimeoutMs");

  private static final Map<String, Set<String>> KNOWN =
      Map.of(
          CONNECTION,
          Set.of("parallelism", "cacheMaxMb", "commitStorage", "indexStorage", "primaryPublisher"),
          STORAGE,
          with(S3_FIELDS, "filePath", "durability", "AES256Key", "addressIdentifier"),
          PUBLISHER,
          with(DYNAMODB_FIELDS, "storage"));

  private final Graph graph;
  private final Environment environment;

  ConnectionReader(Graph graph, Environment environment) {
    this.graph = graph;
    this.environment = environment;
  }

  ConnectionConfig read() {
    warnOfTheUnknown();
    Fields fields = fields(theConnection());
    Storage index =
        fields
            .reference("indexStorage")
            .map(id -> storage(fields, "indexStorage", id))
            .orElseThrow(
                () ->
                    fields.wrong(
                        "indexStorage", "nothing; write {\"@id\": \"...\"} of a Storage node"));
    return new ConnectionConfig(
        fields
            .reference("commitStorage")
            .map(id -> storage(fields, "commitStorage", id))
            .orElse(index),
        index,
        fields.reference("primaryPublisher").map(id -> publisher(fields, id)),
        fields.number("parallelism", 1),
        fields.number("cacheMaxMb", 0));
  }

  private Node theConnection() {
    List<Node> connections = graph.ofType(CONNECTION);
    if (connections.size() == 1) {
      return connections.get(0);
    }
    String found =
        connections.isEmpty()
            ? "no node of the type Connection"
            : connections.size()
                + " nodes of the type Connection ("
                + connections.stream().map(Node::shown).collect(Collectors.joining(", "))
                + ")";
    throw new InvalidConnectionException(
        "the connection document has " + found + "; it needs exactly one");
  }

  private Storage storage(Fields from, String field, String id) {
    Fields fields = fields(referred(from, field, id, STORAGE));
    if (fields.isSet("AES256Key")) {
      throw fields.wrong(
          "AES256Key",
          "a key, but nothing is encrypted here; remove it, and let the disk or the bucket encrypt");
    }
    Optional<String> identifier = fields.text("addressIdentifier");
    Durability durability = durability(fields);
    boolean onS3 = fields.hasAny(S3_FIELDS);
    Optional<String> path = fields.text("filePath");
    if (path.isPresent() && onS3) {
      throw fields.wrong("filePath", "a directory, but has a bucket as well; leave one out");
    }
    if (onS3) {
      return s3(fields, identifier);
    }
    return path.<Storage>map(
            text -> new Storage.Directory(path(fields, text), durability, identifier))
        .orElseGet(() -> new Storage.InMemory(identifier));
  }

  private static Storage s3(Fields fields, Optional<String> identifier) {
    String bucket =
        fields
            .text("s3Bucket")
            .orElseThrow(() -> fields.wrong("s3Bucket", "nothing; write the name of the bucket"));
    Storage.Requests requests =
        new Storage.Requests(
            longestTimeout(fields),
            fields.number("s3MaxRetries", 0),
            millis(fields.number("s3RetryBaseDelayMs", 1)),
            millis(fields.number("s3RetryMaxDelayMs", 1)),
            fields.number("s3MaxConcurrentRequests", 1));
    return new Storage.S3(
        bucket,
        withoutSlashes(fields.text("s3Prefix").orElse("")),
        fields.server("s3Endpoint"),
        requests,
        identifier);
  }

  /** There is one timeout here; the most patient of the three breaks nothing that worked. */
  private static Optional<Duration> longestTimeout(Fields fields) {
    return millis(
        Stream.of("s3ReadTimeoutMs", "s3WriteTimeoutMs", "s3ListTimeoutMs")
            .map(field -> fields.number(field, 1))
            .filter(OptionalInt::isPresent)
            .max((a, b) -> Integer.compare(a.getAsInt(), b.getAsInt()))
            .orElse(OptionalInt.empty()));
  }

  private Publisher publisher(Fields from, String id) {
    Fields fields = fields(referred(from, "primaryPublisher", id, PUBLISHER));
    Optional<String> storage = fields.reference("storage");
    boolean onDynamoDb = fields.hasAny(DYNAMODB_FIELDS);
    if (storage.isPresent() && onDynamoDb) {
      throw fields.wrong("storage", "a node, but has a table as well; leave one out");
    }
    if (onDynamoDb) {
      return dynamoDb(fields);
    }
    return storage
        .<Publisher>map(other -> new Publisher.InStorage(storage(fields, "storage", other)))
        .orElseGet(() -> new Publisher.InMemory());
  }

  private static Publisher dynamoDb(Fields fields) {
    String table =
        fields
            .text("dynamodbTable")
            .orElseThrow(
                () -> fields.wrong("dynamodbTable", "nothing; write the name of the table"));
    return new Publisher.DynamoDb(
        table,
        fields.text("dynamodbRegion").orElse(Publisher.DynamoDb.STANDARD_REGION),
        fields.server("dynamodbEndpoint"),
        millis(fields.number("dynamodbTimeoutMs", 1)).orElse(Publisher.DynamoDb.STANDARD_TIMEOUT));
  }

  private Node referred(Fields from, String field, String id, String type) {
    Node node =
        graph
            .find(id)
            .orElseThrow(
                () ->
                    from.wrong(
                        field, "the @id " + id + ", which no node of the document has; add one"));
    if (!node.types().contains(type)) {
      throw from.wrong(
          field,
          "the @id "
              + id
              + ", which is of the type "
              + String.join(", ", node.types())
              + "; it must be a "
              + type);
    }
    return node;
  }

  private static Durability durability(Fields fields) {
    Map<String, Durability> words =
        Arrays.stream(Durability.values())
            .collect(
                Collectors.toMap(
                    Storage.Directory::word, each -> each, (a, b) -> a, LinkedHashMap::new));
    return fields.choice("durability", words).orElse(Durability.SYNC);
  }

  private static Path path(Fields fields, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw fields.wrong("filePath", "a value that can't be a path; correct it");
    }
  }

  /** A misspelled key would otherwise go unnoticed; refusing it would refuse others' documents. */
  private void warnOfTheUnknown() {
    for (Node node : graph.nodes()) {
      Set<String> known =
          node.types().stream()
              .flatMap(type -> KNOWN.getOrDefault(type, Set.of()).stream())
              .collect(Collectors.toSet());
      if (known.isEmpty()) {
        LOG.warn(
            "connection document: {} is of no known type {} and is ignored",
            node.shown(),
            node.types());
        continue;
      }
      node.fields().keySet().stream()
          .filter(field -> !known.contains(field))
          .forEach(
              field ->
                  LOG.warn(
                      "connection document: {} has {}, which isn't known and is ignored",
                      node.shown(),
                      field));
    }
  }

  private Fields fields(Node node) {
    return new Fields(node, environment);
  }

  private static Optional<Duration> millis(OptionalInt number) {
    return number.isPresent()
        ? Optional.of(Duration.ofMillis(number.getAsInt()))
        : Optional.empty();
  }

  private static String withoutSlashes(String prefix) {
    return prefix.replaceAll("^/+|/+$", "");
  }

  private static Set<String> with(Set<String> some, String... more) {
    return Stream.concat(some.stream(), Arrays.stream(more))
        .collect(Collectors.toUnmodifiableSet());
  }
}
