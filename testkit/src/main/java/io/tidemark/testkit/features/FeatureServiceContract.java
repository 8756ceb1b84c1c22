// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.features;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionService;
import io.tidemark.api.features.CollectionSettings;
import io.tidemark.api.features.CollectionTransfer;
import io.tidemark.api.features.FeatureBatch;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureFormat;
import io.tidemark.api.features.FeatureInput;
import io.tidemark.api.features.FeatureLoadReport;
import io.tidemark.api.features.FeatureLoadRequest;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.features.FeatureWrite;
import io.tidemark.api.features.WrittenFeatures;
import io.tidemark.objects.TidemarkException;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/**
 * Promises of the service of features, for each implementation of it. A class of tests for each
 * part of the service extends this one.
 */
public abstract class FeatureServiceContract {

  /** Id of a collection that is new in each test. */
  String id = "";

  /** Service for an application and a person. */
  FeatureService features;

  /** Collection that is new in each test. */
  CollectionService collection;

  /** Returns the service to test, on an empty or used storage. */
  protected abstract FeatureService service();

  @BeforeEach
  void createCollection() {
    id = newId();
    features = service().with(context());
    collection = created(id);
  }

  static FeatureContext context() {
    return FeatureContext.app("test").by("ann");
  }

  static String newId() {
    return "c" + UUID.randomUUID().toString().substring(0, 23);
  }

  /** Returns a new collection, in one table, which is quicker to make. */
  CollectionService created(String name) {
    CollectionService made = features.collection(name);
    Object unused = made.administration().create(oneTable());
    return made;
  }

  static CollectionSettings oneTable() {
    return CollectionSettings.none().withPartitioned(Optional.of(false));
  }

  static ObjectNode point(String id, String name) {
    return json(
        ("{'type': 'Feature', 'id': '%s', 'geometry': {'type': 'Point', 'coordinates':"
                + " [8.5, 50.25]}, 'properties': {'name': '%s'}}")
            .formatted(id, name));
  }

  /** Returns an object that is written with apostrophes for quotation marks. */
  static ObjectNode json(String text) {
    return (ObjectNode) WireJson.parse(text.replace('\'', '"'));
  }

  /** Returns a feature as it is parsed, so that numbers are equal whose digits are. */
  static ObjectNode parsed(ObjectNode feature) {
    return (ObjectNode) WireJson.parse(feature.toString());
  }

  static List<ObjectNode> parsed(List<ObjectNode> features) {
    return features.stream().map(FeatureServiceContract::parsed).toList();
  }

  static JsonNode xyz(JsonNode feature) {
    return feature.path("properties").path("@ns:com:here:xyz");
  }

  static String uuid(JsonNode feature) {
    return xyz(feature).path("uuid").asText();
  }

  static List<String> uuids(List<ObjectNode> features) {
    return features.stream().map(FeatureServiceContract::uuid).toList();
  }

  static long txn(JsonNode feature) {
    return xyz(feature).path("txn").asLong();
  }

  static List<String> ids(List<ObjectNode> features) {
    return features.stream().map(feature -> feature.path("id").asText()).toList();
  }

  static List<String> names(List<ObjectNode> features) {
    return features.stream().map(each -> each.path("properties").path("name").asText()).toList();
  }

  /** Creates or replaces features with these ids, in one transaction. */
  WrittenFeatures write(String... ids) {
    return collection.write(
        FeatureBatch.of(
            List.of(ids).stream().map(each -> FeatureWrite.upsert(point(each, each))).toList()));
  }

  ObjectNode put(String feature, String name) {
    assertThat(
            collection
                .write(FeatureBatch.of(List.of(FeatureWrite.upsert(point(feature, name)))))
                .committed())
        .isTrue();
    return parsed(collection.get(feature).orElseThrow());
  }

  /** Loads so many features {@code f00000}, {@code f00001} and so on. */
  FeatureLoadReport fill(int count) {
    String lines =
        IntStream.range(0, count)
            .mapToObj(i -> point("f%05d".formatted(i), "n" + i).toString())
            .collect(Collectors.joining("\n"));
    return load(collection.transfer(), lines);
  }

  static FeatureLoadReport load(CollectionTransfer transfer, String lines) {
    return transfer.load(
        FeatureLoadRequest.of(input(lines, FeatureFormat.GEOJSONSEQ)), progress -> {});
  }

  static FeatureInput input(String text, FeatureFormat format) {
    return FeatureInput.of(new ByteArrayInputStream(text.getBytes(UTF_8)), "the text", format);
  }

  static void assertFails(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TidemarkException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
