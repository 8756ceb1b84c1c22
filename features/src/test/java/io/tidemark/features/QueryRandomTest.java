// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.model.Feature;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureFilter;
import io.tidemark.features.query.FeatureOrder;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.TagFilter;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random questions about random features, answered by the storage and by looking at each. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryRandomTest {

  private static final int FEATURES = 300;
  private static final int QUESTIONS = Boolean.getBoolean("soak") ? 20_000 : 100;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<String> TAGS = List.of("a", "b", "c", "@D", "~E");

  /** Values that are easily mistaken for each other. */
  private static final List<JsonNode> VALUES =
      List.of(
          JSON.numberNode(1),
          JSON.numberNode(new BigDecimal("1.0")),
          JSON.numberNode(new BigDecimal("1.5")),
          JSON.numberNode(2),
          JSON.numberNode(new BigDecimal("9007199254740993")),
          JSON.numberNode(new BigDecimal("9007199254740992")),
          JSON.numberNode(-1),
          JSON.textNode("1"),
          JSON.textNode(""),
          JSON.textNode("a_b"),
          JSON.textNode("aXb"),
          JSON.textNode("ä"),
          JSON.textNode("'; --"),
          JSON.textNode("true"),
          JSON.booleanNode(true),
          JSON.booleanNode(false),
          JSON.nullNode());

  private TestStorage storage;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private static <T> T one(List<T> of, RandomGenerator random) {
    return of.get(random.nextInt(of.size()));
  }

  /** Where it is is also noted in a member of its own, for those who don't read geometries. */
  private static Feature feature(int id, RandomGenerator random) {
    ObjectNode feature = JSON.objectNode().put("id", "f" + id);
    ObjectNode properties = feature.putObject("properties");
    ArrayNode tags = properties.putObject("@ns:com:here:xyz").putArray("tags");
    TAGS.stream().filter(tag -> random.nextInt(3) == 0).forEach(tags::add);
    for (String name : List.of("x", "y", "o'\"clock.")) {
      if (random.nextInt(4) > 0) {
        properties.set(name, one(VALUES, random));
      }
    }
    if (random.nextBoolean()) {
      ArrayNode list = properties.putArray("list");
      IntStream.range(0, random.nextInt(4)).forEach(i -> list.add(one(VALUES, random)));
    }
    if (random.nextInt(5) > 0) {
      ArrayNode at = feature.putArray("at").add(random.nextInt(-18, 19) * 10);
      at.add(random.nextInt(-9, 10) * 10);
      feature.putObject("geometry").put("type", "Point").set("coordinates", at);
    }
    return Feature.parse(feature.toString());
  }

  private static FeatureField field(RandomGenerator random) {
    return FeatureField.property(one(List.of("x", "y", "o'\"clock.", "list", "none"), random));
  }

  private static FeatureFilter filter(RandomGenerator random, int depth) {
    FeatureField featureField = field(random);
    JsonNode value = one(VALUES.subList(0, VALUES.size() - 1), random);
    JsonNode ordered = one(VALUES.subList(0, 14), random);
    return switch (random.nextInt(depth > 2 ? 9 : 12)) {
      case 0 -> FeatureFilter.exists(featureField);
      case 1 -> FeatureFilter.isNull(featureField);
      case 2 -> FeatureFilter.isNotNull(featureField);
      case 3 -> FeatureFilter.ne(featureField, value);
      case 4 -> FeatureFilter.gt(featureField, ordered);
      case 5 -> FeatureFilter.lte(featureField, ordered);
      case 6 ->
          FeatureFilter.startsWith(featureField, one(List.of("", "a", "a_", "%", "'"), random));
      case 7 -> FeatureFilter.contains(featureField, one(VALUES, random));
      case 8 -> FeatureFilter.eq(featureField, value);
      case 9 -> FeatureFilter.not(filter(random, depth + 1));
      case 10 -> FeatureFilter.all(filter(random, depth + 1), filter(random, depth + 1));
      default -> FeatureFilter.any(filter(random, depth + 1), filter(random, depth + 1));
    };
  }

  private static Area area(RandomGenerator random, int depth) {
    int kind = random.nextInt(depth > 2 ? 3 : 6);
    if (kind == 3) {
      return Area.not(area(random, depth + 1));
    }
    if (kind == 4) {
      return Area.all(area(random, depth + 1), area(random, depth + 1));
    }
    if (kind == 5) {
      return Area.any(area(random, depth + 1), area(random, depth + 1));
    }
    double south = random.nextInt(-18, 19) * 5;
    return Area.box(
        random.nextInt(-36, 37) * 5,
        south,
        random.nextInt(-36, 37) * 5,
        Math.min(90, south + random.nextInt(20) * 5));
  }

  private static TagFilter tags(RandomGenerator random) {
    return new TagFilter(
        Stream.generate(
                () ->
                    Stream.generate(() -> one(TAGS, random)).limit(1 + random.nextInt(2)).toList())
            .limit(1 + random.nextInt(3))
            .toList());
  }

  @Test
  void theStorageAnswersLikeSomebodyWhoLooksAtEach() {
    Seed seed = Seed.of("theStorageAnswersLikeSomebodyWhoLooksAtEach");
    RandomGenerator random = seed.random();
    List<Feature> features =
        IntStream.range(0, FEATURES).mapToObj(i -> feature(i, random)).toList();
    for (CollectionOptions options :
        List.of(CollectionOptions.none(), CollectionOptions.none().unpartitioned())) {
      String collection = storage.create(options);
      storage.features.write(ALICE, collection, features.stream().map(Write::create).toList());
      for (int i = 0; i < QUESTIONS; i++) {
        compare(collection, features, random, seed + " question " + i);
      }
    }
  }

  private void compare(
      String collection, List<Feature> features, RandomGenerator random, String name) {
    FeatureQuery.Builder asked = FeatureQuery.from(collection);
    Stream<Feature> left = features.stream();
    if (random.nextBoolean()) {
      FeatureFilter featureFilter = filter(random, 0);
      asked.where(featureFilter);
      left = left.filter(feature -> BruteForceQuery.holds(featureFilter, feature));
    }
    if (random.nextInt(3) == 0) {
      Area area = area(random, 0);
      asked.in(area);
      left = left.filter(feature -> BruteForceQuery.touches(area, feature));
    }
    if (random.nextInt(3) == 0) {
      TagFilter tagFilter = tags(random);
      asked.tagged(tagFilter);
      left = left.filter(feature -> BruteForceQuery.tagged(tagFilter, feature));
    }
    FeatureOrder featureOrder =
        random.nextBoolean() ? FeatureOrder.BY_ID : FeatureOrder.by(field(random));
    FeatureOrder wanted = random.nextBoolean() ? featureOrder : featureOrder.descending();
    int limit = 1 + random.nextInt(FEATURES);
    FeatureQuery query = asked.orderBy(wanted).limit(limit).build();
    List<String> expected = ids(left.sorted(BruteForceQuery.order(wanted)).limit(limit).toList());
    List<Feature> found = storage.features.read(r -> r.query(query)).features();
    assertThat(ids(found))
        .as("%s: %s %s %s %s", name, query.filters(), query.area(), query.tags(), wanted)
        .isEqualTo(expected);
  }

  private static List<String> ids(List<Feature> features) {
    return features.stream().map(feature -> feature.id().orElseThrow()).toList();
  }

  /** The boxes that come first for the index leave nothing out, at the poles and beyond 180 too. */
  @Test
  void aDistanceIsTheSameWithAndWithoutTheIndex() throws SQLException {
    Seed seed = Seed.of("aDistanceIsTheSameWithAndWithoutTheIndex");
    RandomGenerator random = seed.random();
    String places = storage.small();
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      writes.add(
          Write.create(
              Feature.parse("{\"id\": \"%d\", \"geometry\": %s}".formatted(i, somewhere(random)))));
    }
    storage.features.write(ALICE, places, writes);
    for (int i = 0; i < 40; i++) {
      String from = somewhere(random);
      double metres = Math.pow(10, random.nextDouble(3, 7.2));
      List<String> expected =
          storage.psql.values(
              ("SELECT jsondata->>'id' FROM %s WHERE ST_DWithin(ST_Segmentize(geo, 0.1)::geography,"
                      + " ST_Segmentize(ST_GeomFromGeoJSON('%s'), 0.1)::geography, %s)"
                      + " ORDER BY (jsondata->>'id') COLLATE \"C\"")
                  .formatted(places, from, metres));
      FeatureQuery query = FeatureQuery.from(places).in(Area.withinMetres(from, metres)).build();
      List<Feature> found = storage.features.read(r -> r.query(query)).features();
      assertThat(ids(found)).as("%s: %s, %s m", seed, from, metres).isEqualTo(expected);
    }
  }

  /** A place or a short line; often near a pole or the antimeridian. */
  private static String somewhere(RandomGenerator random) {
    double lon = random.nextInt(3) == 0 ? 180 - random.nextDouble(2) : random.nextDouble(-180, 180);
    double lat = random.nextInt(3) == 0 ? 90 - random.nextDouble(3) : random.nextDouble(-90, 90);
    double signed = random.nextBoolean() ? lon : -lon;
    double upOrDown = random.nextBoolean() ? lat : -lat;
    if (random.nextInt(3) > 0) {
      return String.format(
          Locale.ROOT, "{\"type\":\"Point\",\"coordinates\":[%f,%f]}", signed, upOrDown);
    }
    return String.format(
        Locale.ROOT,
        "{\"type\":\"LineString\",\"coordinates\":[[%f,%f],[%f,%f]]}",
        signed,
        upOrDown,
        Math.max(-180, Math.min(180, signed + random.nextDouble(-30, 30))),
        Math.max(-90, Math.min(90, upOrDown + random.nextDouble(-5, 5))));
  }
}
