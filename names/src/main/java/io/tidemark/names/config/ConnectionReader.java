// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import io.tidemark.names.config.ConnectionGraph.Node;
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

/** Reader that finds the nodes of a connection in a graph. */
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

  private final ConnectionGraph connectionGraph;
  private final Environment environment;

  ConnectionReader(ConnectionGraph connectionGraph, Environment environment) {
    this.connectionGraph = connectionGraph;
    this.environment = environment;
  }

  ConnectionConfig read() {
    warnOfUnknownKeys();
    NodeFields nodeFields = fields(connectionNode());
    StorageNode index =
        nodeFields
            .reference("indexStorage")
            .map(id -> storage(nodeFields, "indexStorage", id))
            .orElseThrow(
                () ->
                    nodeFields.invalidField(
                        "indexStorage", "nothing; write {\"@id\": \"...\"} of a Storage node"));
    return new ConnectionConfig(
        nodeFields
            .reference("commitStorage")
            .map(id -> storage(nodeFields, "commitStorage", id))
            .orElse(index),
        index,
        nodeFields.reference("primaryPublisher").map(id -> publisher(nodeFields, id)),
        nodeFields.number("parallelism", 1),
        nodeFields.number("cacheMaxMb", 0));
  }

  private Node connectionNode() {
    List<Node> connections = connectionGraph.ofType(CONNECTION);
    if (connections.size() == 1) {
      return connections.get(0);
    }
    String found =
        connections.isEmpty()
            ? "no node of the type Connection"
            : connections.size()
                + " nodes of the type Connection ("
                + connections.stream().map(Node::describe).collect(Collectors.joining(", "))
                + ")";
    throw new InvalidConnectionException(
        "the connection document has " + found + "; it needs exactly one");
  }

  private StorageNode storage(NodeFields from, String field, String id) {
    NodeFields nodeFields = fields(referred(from, field, id, STORAGE));
    if (nodeFields.isSet("AES256Key")) {
      throw nodeFields.invalidField(
          "AES256Key",
          "a key, but nothing is encrypted here; remove it, and let the disk or the bucket encrypt");
    }
    Optional<String> identifier = nodeFields.text("addressIdentifier");
    Durability durability = durability(nodeFields);
    boolean onS3 = nodeFields.hasAny(S3_FIELDS);
    Optional<String> path = nodeFields.text("filePath");
    if (path.isPresent() && onS3) {
      throw nodeFields.invalidField(
          "filePath", "a directory, but has a bucket as well; leave one out");
    }
    if (onS3) {
      return s3(nodeFields, identifier);
    }
    return path.<StorageNode>map(
            text -> new StorageNode.Directory(path(nodeFields, text), durability, identifier))
        .orElseGet(() -> new StorageNode.InMemory(identifier));
  }

  private static StorageNode s3(NodeFields nodeFields, Optional<String> identifier) {
    String bucket =
        nodeFields
            .text("s3Bucket")
            .orElseThrow(
                () -> nodeFields.invalidField("s3Bucket", "nothing; write the name of the bucket"));
    StorageNode.Requests requests =
        new StorageNode.Requests(
            longestTimeout(nodeFields),
            nodeFields.number("s3MaxRetries", 0),
            millis(nodeFields.number("s3RetryBaseDelayMs", 1)),
            millis(nodeFields.number("s3RetryMaxDelayMs", 1)),
            nodeFields.number("s3MaxConcurrentRequests", 1));
    return new StorageNode.S3(
        bucket,
        withoutSlashes(nodeFields.text("s3Prefix").orElse("")),
        nodeFields.server("s3Endpoint"),
        requests,
        identifier);
  }

  /** There is one timeout here; the most patient of the three breaks nothing that worked. */
  private static Optional<Duration> longestTimeout(NodeFields nodeFields) {
    return millis(
        Stream.of("s3ReadTimeoutMs", "s3WriteTimeoutMs", "s3ListTimeoutMs")
            .map(field -> nodeFields.number(field, 1))
            .filter(OptionalInt::isPresent)
            .max((a, b) -> Integer.compare(a.getAsInt(), b.getAsInt()))
            .orElse(OptionalInt.empty()));
  }

  private PublisherNode publisher(NodeFields from, String id) {
    NodeFields nodeFields = fields(referred(from, "primaryPublisher", id, PUBLISHER));
    Optional<String> storage = nodeFields.reference("storage");
    boolean onDynamoDb = nodeFields.hasAny(DYNAMODB_FIELDS);
    if (storage.isPresent() && onDynamoDb) {
      throw nodeFields.invalidField("storage", "a node, but has a table as well; leave one out");
    }
    if (onDynamoDb) {
      return dynamoDb(nodeFields);
    }
    return storage
        .<PublisherNode>map(
            other -> new PublisherNode.InStorage(storage(nodeFields, "storage", other)))
        .orElseGet(() -> new PublisherNode.InMemory());
  }

  private static PublisherNode dynamoDb(NodeFields nodeFields) {
    String table =
        nodeFields
            .text("dynamodbTable")
            .orElseThrow(
                () ->
                    nodeFields.invalidField(
                        "dynamodbTable", "nothing; write the name of the table"));
    return new PublisherNode.DynamoDb(
        table,
        nodeFields.text("dynamodbRegion").orElse(PublisherNode.DynamoDb.STANDARD_REGION),
        nodeFields.server("dynamodbEndpoint"),
        millis(nodeFields.number("dynamodbTimeoutMs", 1))
            .orElse(PublisherNode.DynamoDb.STANDARD_TIMEOUT));
  }

  private Node referred(NodeFields from, String field, String id, String type) {
    Node node =
        connectionGraph
            .find(id)
            .orElseThrow(
                () ->
                    from.invalidField(
                        field, "the @id " + id + ", which no node of the document has; add one"));
    if (!node.types().contains(type)) {
      throw from.invalidField(
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

  private static Durability durability(NodeFields nodeFields) {
    Map<String, Durability> words =
        Arrays.stream(Durability.values())
            .collect(
                Collectors.toMap(
                    StorageNode.Directory::word, each -> each, (a, b) -> a, LinkedHashMap::new));
    return nodeFields.choice("durability", words).orElse(Durability.SYNC);
  }

  private static Path path(NodeFields nodeFields, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw nodeFields.invalidField("filePath", "a value that can't be a path; correct it");
    }
  }

  /**
   * Warns of unknown keys. A misspelled key would otherwise go unnoticed; refusing it would refuse
   * documents of other programs.
   */
  private void warnOfUnknownKeys() {
    for (Node node : connectionGraph.nodes()) {
      Set<String> known =
          node.types().stream()
              .flatMap(type -> KNOWN.getOrDefault(type, Set.of()).stream())
              .collect(Collectors.toSet());
      if (known.isEmpty()) {
        LOG.warn(
            "connection document: {} is of no known type {} and is ignored",
            node.describe(),
            node.types());
        continue;
      }
      node.fields().keySet().stream()
          .filter(field -> !known.contains(field))
          .forEach(
              field ->
                  LOG.warn(
                      "connection document: {} has {}, which isn't known and is ignored",
                      node.describe(),
                      field));
    }
  }

  private NodeFields fields(Node node) {
    return new NodeFields(node, environment);
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
