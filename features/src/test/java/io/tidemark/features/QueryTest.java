// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features;

import static io.tidemark.features.TestStorage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.features.collection.CollectionOptions;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.model.CollectionNotFoundException;
import io.tidemark.features.model.Feature;
import io.tidemark.features.model.XyzNamespace;
import io.tidemark.features.query.Area;
import io.tidemark.features.query.FeatureField;
import io.tidemark.features.query.FeatureFilter;
import io.tidemark.features.query.FeatureOrder;
import io.tidemark.features.query.FeatureQuery;
import io.tidemark.features.query.TagFilter;
import io.tidemark.features.write.Write;
import io.tidemark.testkit.servers.PostgresServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading by place, tags and properties: cases D1 to D10, D13, D16 and D24. */
@ExtendWith(ServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryTest {

  private static final Area SIX_TO_EIGHT = Area.box(8.6476, 50.1175, 8.6729, 50.1248);
  private static final String TOPOLOGY = "urn:here::here:Topology:";

  private TestStorage storage;

  /** The nine features of the original's test. */
  private String nine;

  @BeforeAll
  void open(PostgresServer server) {
    storage = TestStorage.in(server);
    nine = storage.create(CollectionOptions.none());
    String here = "[8.6123, 50.1234]";
    String there = "[8.6578, 50.1234]";
    storage.put(
        nine,
        TestStorage.point("1", here, "\"one\"", "\"speedLimit\": \"10\""),
        TestStorage.point("2", here, "\"one\", \"two\"", "\"speedLimit\": \"20\""),
        TestStorage.point("3", here, "\"one\", \"two\", \"three\"", "\"speedLimit\": \"30\""),
        TestStorage.point(
            "4", here, "\"one\", \"two\", \"three\", \"four\"", "\"speedLimit\": \"40\""),
        TestStorage.point(
            "5", here, "\"one\", \"two\", \"three\", \"four\", \"five\"", "\"speedLimit\": \"50\""),
        TestStorage.point(
            "6",
            there,
            "\"one\", \"two\", \"three\", \"four\", \"five\", \"six\"",
            "\"length\": 10, \"isBidirectional\": true, " + references(1, 2)),
        TestStorage.point(
            "7",
            there,
            "\"non-matching-tag\", \"@ThRee\"",
            "\"speedLimit\": \"70\", \"length\": 10.5, \"direction\": \"A to B\", "
                + references(2, 3)),
        TestStorage.point(
            "8",
            there,
            "\"non-matching-tag\", \"@ThRee\", \"@Four\"",
            "\"length\": 11, \"direction\": \"B to A\", " + references(3, 4)),
        "{\"id\": \"9\", \"geometry\": {\"type\": \"LineString\", \"coordinates\":"
            + " [[5.63, 6.30], [5.64, 6.31]]}, \"properties\": {}}");
  }

  @AfterAll
  void close() {
    storage.close();
  }

  private static String references(int... numbers) {
    StringBuilder list = new StringBuilder();
    for (int number : numbers) {
      list.append(list.isEmpty() ? "" : ", ").append("{\"id\": \"" + TOPOLOGY + number + "\"}");
    }
    return "\"references\": [" + list + "]";
  }

  private List<String> ids(FeatureQuery.Builder query) {
    return storage.ids(query);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "d1 | one | 1 2 3 4 5 6",
        "d2 | two,three | 2 3 4 5 6",
        "d3 | four+five | 5 6",
        "d4 | three,four,five | 3 4 5 6",
        "d5 | three+four,four+five | 4 5 6",
        "d6 | six,three+four,non-existing | 4 5 6",
        "d10 | @ThRee+non-matching-tag | 7 8",
        "d10 | ONE | 1 2 3 4 5 6",
        "d10 | @three | ''"
      })
  void d1ToD6AndD10FeaturesByTags(String name, String tags, String expected) {
    List<String> found =
        ids(FeatureQuery.from(nine).in(Area.box(-180, -90, 180, 90)).tagged(TagFilter.parse(tags)));

    assertThat(String.join(" ", found)).as(name).isEqualTo(expected);
  }

  @Test
  void tagsAreFoundAsTheyWereSentAndNormalised() {
    String buses = storage.small();
    storage.put(
        buses,
        TestStorage.point("sent", "[1, 2]", "\"Bus\", \"Grün\"", ""),
        TestStorage.point("tagged", "[1, 2]", "\"bus\", \"grun\"", ""));
    Function<String, List<String>> find =
        tags -> ids(FeatureQuery.from(buses).tagged(TagFilter.parse(tags)));

    assertThat(find.apply("Bus")).containsExactly("sent", "tagged");
    assertThat(find.apply("bus")).containsExactly("tagged");
    assertThat(find.apply("BUS")).containsExactly("tagged");
    assertThat(find.apply("Bus+Grün")).containsExactly("sent", "tagged");
    assertThat(find.apply("Bus+grun")).containsExactly("tagged");
    assertThat(find.apply("other,Grün+Bus")).containsExactly("sent", "tagged");
  }

  @Test
  void d7FeaturesInABox() {
    assertThat(ids(FeatureQuery.from(nine).in(SIX_TO_EIGHT))).containsExactly("6", "7", "8");
    assertThat(ids(FeatureQuery.from(nine).in(SIX_TO_EIGHT).tagged(TagFilter.all("three", "four"))))
        .containsExactly("6");
    assertThat(ids(FeatureQuery.from(nine).in(Area.box("8.2,49.9,8.3,50")))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "p.speedLimit='70'&p.length=10.5 | 7",
        "p.speedLimit!='70'&p.length!=10.5 | 6 8",
        "p.length>=10.5 | 7 8",
        "p.length=gte=10.5 | 7 8",
        "p.length<=10.5 | 6 7",
        "p.length>10.5 | 8",
        "p.length<10.5 | 6",
        "p.isBidirectional=true | 6",
        "p.direction=.null&p.length=10 | 6",
        "p.direction!=.null | 7 8",
        "p.length=10.0 | 6",
        "p.length=10,11 | 6 8",
        "p.length!=10,11 | 7",
        "p.speedLimit=70 | ``",
        "f.id=7,8 | 7 8",
        "f.id>5 | ``",
        "f.author>5 | ``",
        "f.author!=bob | 6 7 8",
        "f.tags@>@Four | 8"
      })
  void d8FeaturesByProperties(String conditions, String expected) {
    List<String> found =
        ids(FeatureQuery.from(nine).in(SIX_TO_EIGHT).where(FeatureFilter.parse(conditions)));

    assertThat(String.join(" ", found)).isEqualTo(expected);
  }

  @Test
  void d9ListsThatContainAnObject() {
    FeatureField references = FeatureField.property("references");
    JsonNode first = GeoJson.object("{\"id\": \"" + TOPOLOGY + "1\"}");
    JsonNode second = GeoJson.object("{\"id\": \"" + TOPOLOGY + "2\"}");

    assertThat(
            ids(
                FeatureQuery.from(nine)
                    .where(
                        FeatureFilter.any(
                            FeatureFilter.contains(references, first),
                            FeatureFilter.contains(references, second)))))
        .containsExactly("6", "7");
    assertThat(
            ids(
                FeatureQuery.from(nine)
                    .where(
                        FeatureFilter.parse(
                            "p.references@>{\"id\":\"%1$s1\"},{\"id\":\"%1$s2\"}"
                                .formatted(TOPOLOGY)))))
        .containsExactly("6", "7");
  }

  @Test
  void d13APrefixHasNoWildcards() {
    String names = storage.small();
    storage.put(
        names,
        "{\"id\": \"abc\", \"properties\": {\"s\": \"abc\"}}",
        "{\"id\": \"a_c\", \"properties\": {\"s\": \"a_c\"}}",
        "{\"id\": \"a%c\", \"properties\": {\"s\": \"a%c\"}}",
        "{\"id\": \"A_c\", \"properties\": {\"s\": 5}}");

    for (FeatureField featureField : List.of(FeatureField.ID, FeatureField.property("s"))) {
      assertThat(ids(FeatureQuery.from(names).where(FeatureFilter.startsWith(featureField, "a_"))))
          .containsExactly("a_c");
      assertThat(ids(FeatureQuery.from(names).where(FeatureFilter.startsWith(featureField, "a%"))))
          .containsExactly("a%c");
      assertThat(ids(FeatureQuery.from(names).where(FeatureFilter.startsWith(featureField, "a"))))
          .containsExactly("a%c", "a_c", "abc");
    }
  }

  @Test
  void d16ConditionsOnTypes() {
    String types = storage.small();
    storage.put(
        types,
        "{\"id\": \"x\", \"properties\":"
            + " {\"weight\": 60, \"length\": null, \"color\": \"red\", \"ids\": [0, 1, 9]}}");
    FeatureField weight = FeatureField.property("weight");
    FeatureField absent = FeatureField.property("weight2");

    for (FeatureFilter hit :
        List.of(
            FeatureFilter.eq(weight, 60),
            FeatureFilter.not(FeatureFilter.eq(weight, 59)),
            FeatureFilter.exists(weight),
            FeatureFilter.not(FeatureFilter.exists(absent)),
            FeatureFilter.isNotNull(FeatureField.property("color")),
            FeatureFilter.isNull(FeatureField.property("length")),
            FeatureFilter.contains(FeatureField.property("ids"), 9),
            FeatureFilter.gt(FeatureField.property("color"), "blue"),
            FeatureFilter.eq(FeatureField.property("ids", "1"), 1))) {
      assertThat(ids(FeatureQuery.from(types).where(hit))).as("%s", hit).containsExactly("x");
    }
    for (FeatureFilter miss :
        List.of(
            FeatureFilter.isNull(absent),
            FeatureFilter.isNotNull(absent),
            FeatureFilter.isNotNull(FeatureField.property("length")),
            FeatureFilter.gt(weight, "5"),
            FeatureFilter.lt(FeatureField.property("color"), 100),
            FeatureFilter.eq(weight, "60"),
            FeatureFilter.eq(weight, 60.4),
            FeatureFilter.startsWith(weight, "6"))) {
      assertThat(ids(FeatureQuery.from(types).where(miss))).as("%s", miss).isEmpty();
    }
  }

  @Test
  void d24ACollectionThatIsNamedTwiceIsReadOnce() {
    assertThat(ids(FeatureQuery.from(nine, nine))).hasSize(9);
  }

  @Test
  void oneLimitForAllCollections() {
    String other = storage.small();
    storage.put(other, "{\"id\": \"0\"}", "{\"id\": \"1\"}", "{\"id\": \"5\"}");

    assertThat(ids(FeatureQuery.from(nine, other).limit(4))).containsExactly("0", "1", "1", "2");
    assertThat(
            ids(FeatureQuery.from(nine, other).orderBy(FeatureOrder.BY_ID.descending()).limit(6)))
        .containsExactly("9", "8", "7", "6", "5", "5");
  }

  @Test
  void featuresComeInTheOrderThatIsAskedFor() {
    String ordered = storage.small();
    storage.put(
        ordered,
        "{\"id\": \"a\", \"properties\": {\"n\": 10}}",
        "{\"id\": \"b\", \"properties\": {\"n\": 9.5}}",
        "{\"id\": \"c\", \"properties\": {\"n\": \"9\"}}",
        "{\"id\": \"d\", \"properties\": {\"n\": true}}",
        "{\"id\": \"e\", \"properties\": {}}",
        "{\"id\": \"f\", \"properties\": {\"n\": null}}",
        "{\"id\": \"g\", \"properties\": {\"n\": 10.0}}",
        "{\"id\": \"h\", \"properties\": {\"n\": [1]}}");
    FeatureOrder byN = FeatureOrder.by(FeatureField.property("n"));

    assertThat(ids(FeatureQuery.from(ordered).orderBy(byN)))
        .containsExactly("b", "a", "g", "c", "d", "h", "e", "f");
    assertThat(ids(FeatureQuery.from(ordered).orderBy(byN.descending())))
        .containsExactly("h", "d", "c", "g", "a", "b", "f", "e");
    storage.features.write(ALICE, ordered, List.of(Write.update(Feature.parse("{\"id\": \"b\"}"))));
    assertThat(ids(FeatureQuery.from(ordered).orderBy(FeatureOrder.BY_UPDATE)).get(7))
        .isEqualTo("b");
    assertThat(
            ids(
                FeatureQuery.from(ordered)
                    .orderBy(FeatureOrder.BY_ROW)
                    .ids(List.of("b", "c", "x"))))
        .containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void onlyWhatIsSelectedIsThere() {
    String selected = storage.small();
    storage.put(
        selected,
        "{\"id\": \"a\", \"properties\": {\"x\": 1, \"y\": 2, \"deep\": {\"u\": 3, \"v\": 4}}}");

    FeatureQuery query =
        FeatureQuery.from(selected)
            .select(
                List.of(
                    FeatureField.parse("p.x"),
                    FeatureField.parse("p.deep.v"),
                    FeatureField.parse("p.none")))
            .build();
    Feature found = storage.features.read(r -> r.query(query)).features().get(0);

    assertThat(found.id()).contains("a");
    assertThat(found.xyz().map(XyzNamespace::version)).contains(1L);
    JsonNode properties = GeoJson.object(found.geoJson()).path("properties");
    assertThat(properties.path("x").intValue()).isEqualTo(1);
    assertThat(properties.has("y")).isFalse();
    assertThat(properties.path("deep").toString()).isEqualTo("{\"v\":4}");
    assertThat(properties.has("none")).isFalse();
  }

  private static String plain(Feature feature) {
    ObjectNode properties = (ObjectNode) feature.data().path("properties");
    return properties.without(Feature.XYZ).toString();
  }

  /** The server leaves out most of what isn't wanted, and mustn't leave out anything else. */
  @Test
  void aSelectionKeepsNullsListsAndWholeObjects() {
    String selected = storage.small();
    storage.put(
        selected,
        "{\"id\": \"a\", \"x\": 7, \"y\": 8, \"properties\": {\"n\": null, \"l\": [{\"k\": 1}, 2],"
            + " \"o\": {\"u\": 1, \"v\": {\"w\": 2}}, \"big\": 1e30, \"q t\": 1}}",
        "{\"id\": \"b\"}");
    Map<List<FeatureField>, String> kept =
        Map.of(
            List.of(FeatureField.parse("p.n"), FeatureField.parse("p.l.0.k")),
                "{\"n\":null,\"l\":[{\"k\":1},2]}",
            List.of(FeatureField.parse("p.o")), "{\"o\":{\"u\":1,\"v\":{\"w\":2}}}",
            List.of(FeatureField.parse("p.o.v"), FeatureField.property("q t")),
                "{\"o\":{\"v\":{\"w\":2}},\"q t\":1}",
            List.of(new FeatureField(List.of("x"))), "{}",
            List.of(), "{}");
    kept.forEach(
        (fields, expected) -> {
          List<Feature> found =
              storage
                  .features
                  .read(r -> r.query(FeatureQuery.from(selected).select(fields).build()))
                  .features();
          assertThat(plain(found.get(0))).as(fields.toString()).isEqualTo(expected);
          assertThat(plain(found.get(1))).isEqualTo("{}");
          assertThat(found.get(0).data().has("y")).isFalse();
          assertThat(found.get(0).data().has("x"))
              .isEqualTo(fields.contains(new FeatureField(List.of("x"))));
        });
    FeatureQuery all =
        FeatureQuery.from(selected)
            .select(List.of(new FeatureField(List.of("properties"))))
            .build();
    assertThat(storage.features.read(r -> r.query(all)).features().get(0).data().path("properties"))
        .hasSize(6);
  }

  @Test
  void aCollectionThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> ids(FeatureQuery.from("nowhere")))
        .isInstanceOf(CollectionNotFoundException.class)
        .hasMessageContaining("nowhere");
    assertThatThrownBy(() -> ids(FeatureQuery.from("x\"; DROP TABLE naksha_tx; --")))
        .isInstanceOf(CollectionNotFoundException.class);
  }
}
