// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.Page;
import io.tidemark.api.WireJson;
import io.tidemark.objects.TidemarkException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Documents that the description of the API promises, of each record that has one. */
class FeatureWireJsonTest {

  private static final long TXN = 2026111600000000007L;
  private static final String FEATURE =
      "{\"type\":\"Feature\",\"id\":\"r1\",\"properties\":{\"length\":1.10},\"geometry\":null}";

  private static ObjectNode object(String json) {
    return (ObjectNode) WireJson.parse(json);
  }

  private static <T> void assertForm(T value, Class<T> type, String json) {
    assertThat(WireJson.text(value)).isEqualTo(json);
    assertThat(WireJson.read(WireJson.parse(json), type)).isEqualTo(value);
  }

  @Test
  void aQueryHasOnlyWhatIsAskedFor() {
    assertForm(
        FeatureQueryRequest.of("roads", "rails"),
        FeatureQueryRequest.class,
        "{\"collections\":[\"roads\",\"rails\"],\"outside\":false,\"clip\":false,"
            + "\"deleted\":false,\"versions\":false}");
  }

  @Test
  void aQueryHasItsMembersInCamelCase() {
    assertForm(
        FeatureQueryRequest.of("roads")
            .withIds(Optional.of(List.of("r1")))
            .withHereTile(Optional.of("1220"))
            .withMargin(OptionalInt.of(8))
            .withRadius(Optional.of(12.5))
            .withTags(List.of("a,b"))
            .where("p.speed>=50")
            .withSelect(List.of("p.name"))
            .withOrder(Optional.of("-p.name"))
            .limit(10)
            .withCursor(Optional.of("c"))
            .at(FeatureMoment.transaction(TXN)),
        FeatureQueryRequest.class,
        "{\"collections\":[\"roads\"],\"ids\":[\"r1\"],\"hereTile\":\"1220\",\"margin\":8,"
            + "\"radius\":12.5,\"outside\":false,\"clip\":false,\"tags\":[\"a,b\"],"
            + "\"where\":[\"p.speed>=50\"],\"select\":[\"p.name\"],\"order\":\"-p.name\","
            + "\"limit\":10,\"cursor\":\"c\",\"at\":\"2026111600000000007\",\"deleted\":false,"
            + "\"versions\":false}");
  }

  @Test
  void aBoxIsATextOrFourNumbers() {
    FeatureQueryRequest expected =
        FeatureQueryRequest.of("roads").withBbox(Optional.of("8.50,50,8.7,50.2"));
    for (String box : List.of("\"8.50,50,8.7,50.2\"", "[8.50,50,8.7,50.2]")) {
      assertThat(
              WireJson.read(
                  WireJson.parse("{\"collections\":[\"roads\"],\"bbox\":" + box + "}"),
                  FeatureQueryRequest.class))
          .isEqualTo(expected);
    }
    assertThat(FeatureQueryRequest.of("roads").box(8.5, 50, 8.75, 50.25).bbox())
        .contains("8.5,50.0,8.75,50.25");
  }

  @Test
  void nullMembersOfAQueryCountAsMissing() {
    assertThat(
            WireJson.read(
                WireJson.parse(
                    "{\"collections\":[\"roads\"],\"bbox\":null,\"geometry\":null,\"radius\":null,"
                        + "\"margin\":null,\"at\":null,\"tags\":null,\"limit\":null}"),
                FeatureQueryRequest.class))
        .isEqualTo(FeatureQueryRequest.of("roads"));
  }

  @Test
  void aMomentIsTextAlsoWhereItIsANumber() {
    assertForm(FeatureMoment.transaction(TXN), FeatureMoment.class, "\"2026111600000000007\"");
    assertForm(
        FeatureMoment.time(Instant.parse("2026-11-16T12:00:00.5Z")),
        FeatureMoment.class,
        "\"2026-11-16T12:00:00.500Z\"");
  }

  @Test
  void aLookUpHasItsIdsAndItsMoment() {
    assertForm(
        LookupRequest.of(List.of("r1", "r2")).at(FeatureMoment.transaction(TXN)),
        LookupRequest.class,
        "{\"ids\":[\"r1\",\"r2\"],\"at\":\"2026111600000000007\",\"deleted\":false}");
    assertForm(LookupRequest.of("r1"), LookupRequest.class, "{\"ids\":[\"r1\"],\"deleted\":false}");
  }

  @Test
  void foundFeaturesAreACollectionWithTheMissingOnes() {
    assertForm(
        new FoundFeatures(List.of(object(FEATURE)), List.of("r2")),
        FoundFeatures.class,
        "{\"type\":\"FeatureCollection\",\"features\":[" + FEATURE + "],\"missing\":[\"r2\"]}");
  }

  @Test
  void theLastPageOfFeaturesHasNullAsItsNext() {
    assertForm(
        new FeaturePage(List.of(object(FEATURE)), Optional.empty()),
        FeaturePage.class,
        "{\"type\":\"FeatureCollection\",\"features\":[" + FEATURE + "],\"next\":null}");
    assertForm(
        new FeaturePage(List.of(), Optional.of("c")),
        FeaturePage.class,
        "{\"type\":\"FeatureCollection\",\"features\":[],\"next\":\"c\"}");
  }

  @Test
  void aPlanIsAListOfLines() {
    assertForm(new FeaturePlan(List.of("Scan")), FeaturePlan.class, "{\"plan\":[\"Scan\"]}");
  }

  @Test
  void aBatchHasWritesAndMessages() {
    FeatureBatch batch =
        FeatureBatch.of(
            List.of(
                FeatureWrite.create(object(FEATURE)),
                FeatureWrite.update(object(FEATURE)).expecting("u1"),
                FeatureWrite.delete("r2"),
                FeatureWrite.purge("r3").expecting("u3")),
            Map.of("ticket", "42"));
    assertForm(
        batch,
        FeatureBatch.class,
        "{\"writes\":[{\"op\":\"create\",\"feature\":"
            + FEATURE
            + "},{\"op\":\"update\",\"feature\":"
            + FEATURE
            + ",\"expect\":\"u1\"},{\"op\":\"delete\",\"id\":\"r2\"},"
            + "{\"op\":\"purge\",\"id\":\"r3\",\"expect\":\"u3\"}],"
            + "\"messages\":{\"ticket\":\"42\"}}");
  }

  @Test
  void aFeatureIsABatchAsItIs() {
    assertForm(new FeatureBatch(object(FEATURE)), FeatureBatch.class, FEATURE);
  }

  @Test
  void aCommittedBatchHasItsTransactionAndTheNewStates() {
    assertForm(
        new WrittenFeatures(
            true,
            Optional.of(TXN),
            List.of(
                new WrittenFeatures.Row(
                    WrittenFeatures.Result.CREATED,
                    "r1",
                    Optional.of("u1"),
                    Optional.of(1L),
                    Optional.empty(),
                    Optional.empty()))),
        WrittenFeatures.class,
        "{\"committed\":true,\"txn\":2026111600000000007,\"rows\":[{\"result\":\"created\","
            + "\"id\":\"r1\",\"uuid\":\"u1\",\"version\":1}]}");
  }

  @Test
  void aRefusedBatchHasTheActualStateAndNoTransaction() {
    WrittenFeatures.Row conflict =
        new WrittenFeatures.Row(
            WrittenFeatures.Result.CONFLICT,
            "r1",
            Optional.empty(),
            Optional.empty(),
            Optional.of("changed"),
            Optional.of(object(FEATURE)));
    WrittenFeatures.Row retained =
        new WrittenFeatures.Row(
            WrittenFeatures.Result.RETAINED,
            "r0",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    WrittenFeatures refused =
        new WrittenFeatures(false, Optional.empty(), List.of(retained, conflict));
    assertForm(
        refused,
        WrittenFeatures.class,
        "{\"committed\":false,\"rows\":[{\"result\":\"retained\",\"id\":\"r0\"},"
            + "{\"result\":\"conflict\",\"id\":\"r1\",\"message\":\"changed\",\"actual\":"
            + FEATURE
            + "}]}");
    assertThat(refused.firstProblem()).contains(conflict);
  }

  @Test
  void aRowsUnknownMembersAndATransactionAsTextAreRead() {
    assertThat(
            WireJson.read(
                WireJson.parse(
                    "{\"committed\":true,\"txn\":\"2026111600000000007\",\"rows\":[],\"more\":1}"),
                WrittenFeatures.class))
        .isEqualTo(new WrittenFeatures(true, Optional.of(TXN), List.of()));
  }

  @Test
  void settingsHaveOnlyWhatIsChosen() {
    assertForm(CollectionSettings.none(), CollectionSettings.class, "{}");
    assertForm(
        CollectionSettings.none()
            .withHistoryEnabled(Optional.of(false))
            .withMaxAge(OptionalLong.of(30))
            .idPrefix("urn:")
            .author(""),
        CollectionSettings.class,
        "{\"historyEnabled\":false,\"maxAge\":30,\"idPrefix\":\"urn:\",\"author\":null}");
  }

  @Test
  void aCollectionKeepsMembersThatNobodyKnows() {
    FeatureCollectionInfo info =
        new FeatureCollectionInfo(
            object("{\"id\":\"roads\",\"deleted\":true,\"later\":{\"a\":1}}"));
    assertForm(
        info,
        FeatureCollectionInfo.class,
        "{\"id\":\"roads\",\"deleted\":true,\"later\":{\"a\":1}}");
    assertThat(info.id()).isEqualTo("roads");
    assertThat(info.isDeleted()).isTrue();
  }

  @Test
  void aRemovalSaysWhatWasAbsent() {
    assertForm(
        new CollectionRemoval(CollectionRemoval.Kind.DELETED, "roads", true),
        CollectionRemoval.class,
        "{\"deleted\":\"roads\"}");
    assertForm(
        new CollectionRemoval(CollectionRemoval.Kind.DELETED, "roads", false),
        CollectionRemoval.class,
        "{\"deleted\":null,\"absent\":\"roads\"}");
    assertForm(
        new CollectionRemoval(CollectionRemoval.Kind.PURGED, "roads", false),
        CollectionRemoval.class,
        "{\"purged\":null,\"absent\":\"roads\"}");
  }

  @Test
  void aCollectionThatExistsIsTold() {
    FeatureCollectionInfo actual = new FeatureCollectionInfo(object("{\"id\":\"roads\"}"));
    FeatureCollectionExistsException problem = new FeatureCollectionExistsException(actual);
    assertThat(problem.code()).isEqualTo("already-exists");
    assertThat(problem)
        .hasMessage("the collection roads is there already; use it, or take another id");
    assertThat(problem.actual()).isEqualTo(actual);
  }

  @Test
  void aNumberedTransactionHasItsSignals() {
    FeatureTransaction transaction =
        new FeatureTransaction(
            TXN,
            Optional.of(17L),
            Optional.of(Instant.parse("2026-11-16T12:00:01Z")),
            Instant.parse("2026-11-16T12:00:00.123456Z"),
            "app",
            Optional.of("ann"),
            1234,
            List.of(
                new TransactionSignal.CollectionChanged("roads"),
                new TransactionSignal.FeaturesChanged("roads"),
                new TransactionSignal.Message(
                    "ticket",
                    Optional.of("42"),
                    JsonNodeFactory.instance.nullNode(),
                    Optional.of("AQI="))));
    String json =
        "{\"txn\":2026111600000000007,\"seq_number\":17,\"seq_ts\":\"2026-11-16T12:00:01Z\","
            + "\"ts\":\"2026-11-16T12:00:00.123456Z\",\"app_id\":\"app\",\"author\":\"ann\","
            + "\"psql_id\":1234,\"signals\":[{\"action\":\"MODIFY_COLLECTION\",\"id\":\"roads\"},"
            + "{\"action\":\"MODIFY_FEATURES\",\"id\":\"roads\"},"
            + "{\"action\":\"MESSAGE\",\"id\":\"ticket\",\"msg_text\":\"42\",\"msg_json\":null,"
            + "\"msg_attachment\":\"AQI=\"}]}";
    assertForm(transaction, FeatureTransaction.class, json);
    assertThat(WireJson.text(new Page<>(List.of(transaction), Optional.empty())))
        .isEqualTo("{\"items\":[" + json + "]}");
  }

  @Test
  void aTransactionWithoutANumberHasNulls() {
    FeatureTransaction transaction =
        new FeatureTransaction(
            TXN,
            Optional.empty(),
            Optional.empty(),
            Instant.parse("2026-11-16T12:00:00Z"),
            "app",
            Optional.empty(),
            1,
            List.of());
    assertForm(
        transaction,
        FeatureTransaction.class,
        "{\"txn\":2026111600000000007,\"seq_number\":null,\"seq_ts\":null,"
            + "\"ts\":\"2026-11-16T12:00:00Z\",\"app_id\":\"app\",\"author\":null,\"psql_id\":1,"
            + "\"signals\":[]}");
    assertForm(
        new FeatureChanges(List.of(), 17), FeatureChanges.class, "{\"items\":[],\"after\":17}");
  }

  @Test
  void numberingAndOutcomesAreSmallDocuments() {
    assertForm(new SequenceResult(3, 17), SequenceResult.class, "{\"numbered\":3,\"last\":17}");
    assertForm(new CommitOutcome(true), CommitOutcome.class, "{\"tookPlace\":true}");
  }

  @Test
  void maintenanceIsAskedForInCamelCase() {
    assertForm(
        new FeatureMaintenanceRequest(true, OptionalLong.of(365)),
        FeatureMaintenanceRequest.class,
        "{\"mergeMonths\":true,\"keepLog\":365}");
    assertForm(
        FeatureMaintenanceRequest.standard(),
        FeatureMaintenanceRequest.class,
        "{\"mergeMonths\":false}");
  }

  @Test
  void maintenanceTellsItsWorkOrThatAnotherIsAtIt() {
    assertForm(new FeatureMaintenance.Busy(), FeatureMaintenance.class, "{\"result\":\"busy\"}");
    assertForm(
        new FeatureMaintenance.Done(
            List.of(
                new FeatureMaintenance.Upkeep(
                    "naksha_tx",
                    List.of(new FeatureMaintenance.Step("created", "naksha_tx_1", "")),
                    Optional.empty(),
                    Optional.of("busy")),
                new FeatureMaintenance.Upkeep(
                    "roads",
                    List.of(),
                    Optional.of(
                        new FeatureMaintenance.Statistics(
                            2, 10, 20, new TreeMap<>(Map.of("12", 2L)))),
                    Optional.empty()))),
        FeatureMaintenance.class,
        "{\"result\":\"done\",\"upkeep\":[{\"name\":\"naksha_tx\",\"steps\":[{\"kind\":\"created\","
            + "\"table\":\"naksha_tx_1\",\"detail\":\"\"}],\"failure\":\"busy\"},"
            + "{\"name\":\"roads\",\"steps\":[],\"statistics\":{\"features\":2,\"byteSize\":10,"
            + "\"compressedSize\":20,\"by_qrid\":{\"12\":2}},\"failure\":null}]}");
  }

  @Test
  void aLoadReportHasItsCounts() {
    assertForm(
        new FeatureLoadReport("roads", TXN, 2, 1, 1, 0.25, List.of("line 3: no feature")),
        FeatureLoadReport.class,
        "{\"collection\":\"roads\",\"txn\":2026111600000000007,\"loaded\":2,\"replaced\":1,"
            + "\"skipped\":1,\"seconds\":0.25,\"problems\":[\"line 3: no feature\"]}");
  }

  @Test
  void theNameOfAFileTellsItsFormat() {
    assertThat(FeatureInput.of(Path.of("a.CSV.gz")))
        .isEqualTo(new FeatureInput.InFile(Path.of("a.CSV.gz"), FeatureFormat.CSV));
    assertThat(new FeatureInput.InFile(Path.of("a.CSV.gz"), FeatureFormat.CSV).isCompressed())
        .isTrue();
    assertThat(FeatureFormat.ofFileName("a.geojsons")).contains(FeatureFormat.RS);
    assertThat(FeatureFormat.ofFileName("a.geojsonl.gz")).isEmpty();
    assertThat(FeatureFormat.of("geojsonseq")).contains(FeatureFormat.GEOJSONSEQ);
    assertThatThrownBy(() -> FeatureInput.of(Path.of("roads")))
        .isInstanceOf(TidemarkException.class)
        .hasMessageContaining("the name of roads doesn't tell its format");
  }
}
