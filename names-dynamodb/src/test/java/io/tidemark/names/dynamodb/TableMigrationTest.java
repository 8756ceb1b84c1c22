// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationEntry.Outcome;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converting all there is, on request. */
@ExtendWith(ServerExtension.class)
class TableMigrationTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address SEARCH = Address.parse("search");

  private static final String HEAD_OF_SOURCE =
      "\"head_v\":4,\"head\":{\"sync_t\":42,\"sync_address\":\"a\"}";

  private final LegacyTables tables;
  private final TestTable table;
  private final NameService names;

  TableMigrationTest(DynamoDbServer server) {
    tables = LegacyTables.create(server, "pk");
    table = tables.now();
    names = table.names();
  }

  @AfterEach
  void close() {
    tables.close();
  }

  @Test
  void aDryRunSaysWhatWouldBeDoneAndDoesNothing() {
    tables.put(LegacyTableTest.LEDGER);
    tables.put(LegacyTableTest.BM25);

    assertThat(migrate(MigrationMode.DRY_RUN))
        .containsExactlyInAnyOrder(
            converted("mydb:main", "single item", MYDB),
            converted("vg:search:main", "single item", SEARCH));
    assertThat(table.rows("mydb:main")).isEmpty();
    assertThat(migrate(MigrationMode.DRY_RUN)).hasSize(2);
  }

  @Test
  void whatIsAppliedIsAsItWasReadAndIsntMentionedAgain() {
    tables.put(LegacyTableTest.LEDGER);
    tables.put(LegacyTableTest.UNBORN);
    tables.put(LegacyTableTest.RETRACTED);
    tables.put(LegacyTableTest.BM25);
    Map<String, Map<String, AttributeValue>> before = tables.rows();
    List<NameRecord> read = all();
    assertThat(read).hasSize(4);

    assertThat(migrate(MigrationMode.APPLY)).hasSize(4).allMatch(TableMigrationTest::isConverted);

    assertThat(all()).isEqualTo(read);
    assertThat(table.rows("mydb:main")).hasSize(6);
    assertThat(table.rows("search:main")).hasSize(5);
    assertThat(tables.rows()).isEqualTo(before);
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
    assertThat(migrate(MigrationMode.DRY_RUN)).isEmpty();

    names.purge(MYDB);
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
    assertThat(names.find(MYDB)).isEmpty();
  }

  @Test
  void aRecordThatIsHereAlreadyStays() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c43", 43));
    tables.put(LegacyTableTest.LEDGER);

    MigrationEntry superseded =
        new MigrationEntry(
            tables.name() + " mydb:main",
            "single item",
            Optional.of(MYDB),
            Outcome.SUPERSEDED,
            "the newer record stays");
    assertThat(migrate(MigrationMode.DRY_RUN)).containsExactly(superseded);
    assertThat(migrate(MigrationMode.APPLY)).containsExactly(superseded);
    assertThat(names.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("c43", 43));
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
  }

  @Test
  void anOlderRecordThatIsStillWrittenIsReportedAndNothingIsLost() {
    tables.put(LegacyTableTest.LEDGER);
    tables.put(LegacyTableTest.BM25);
    assertThat(migrate(MigrationMode.APPLY)).hasSize(2);
    tables.put(
        LegacyTableTest.LEDGER.replace("\"head_v\":42", "\"head_v\":43").replace("t42", "t43"));
    tables.put(LegacyTableTest.BM25.replace("\"sync_t\":42", "\"sync_t\":43"));
    List<NameRecord> before = all();

    for (MigrationMode mode : MigrationMode.values()) {
      assertThat(migrate(mode))
          .hasSize(2)
          .allSatisfy(
              line -> {
                assertThat(line.outcome()).isEqualTo(Outcome.FAILED);
                assertThat(line.note()).contains("some program still writes to the older table");
              });
    }
    assertThat(all()).isEqualTo(before);
  }

  @Test
  void whatCantBeReadFailsEachTimeAndStopsNothingElse() {
    tables.put("{\"pk\":\"bad:main\",\"v\":2,\"head_v\":1}");
    tables.put("{\"pk\":\"a:b:c\",\"v\":2,\"type\":\"ledger\"}");
    tables.put(LegacyTableTest.LEDGER.replace("mydb:main", "search:main"));
    tables.put(LegacyTableTest.BM25);

    for (int run = 0; run < 2; run++) {
      List<MigrationEntry> failed =
          migrate(MigrationMode.APPLY).stream()
              .filter(line -> line.outcome() == Outcome.FAILED)
              .toList();
      assertThat(failed)
          .extracting(line -> line.from().substring(tables.name().length() + 1))
          .containsExactlyInAnyOrder("bad:main", "a:b:c", "vg:search:main");
      assertThat(failed)
          .anySatisfy(line -> assertThat(line.note()).contains("bad:main").contains("type"))
          .anySatisfy(line -> assertThat(line.note()).contains("more than one ':'"))
          .anySatisfy(line -> assertThat(line.note()).contains("also what search:main is"));
      assertThat(failed)
          .filteredOn(line -> line.from().endsWith("a:b:c"))
          .allSatisfy(line -> assertThat(line.to()).isEmpty());
    }
    assertThat(names.ledgers().find(SEARCH).orElseThrow().commit().t()).isEqualTo(42);
  }

  @Test
  void whatHasNoPlaceInARecordIsKeptAndMentioned() {
    tables.put(
        "{\"pk\":\"mydb:main\",\"v\":2,\"type\":\"ledger\",\"owner\":{\"name\":\"me\"},\"kind\":3}");

    assertThat(migrate(MigrationMode.APPLY))
        .extracting(MigrationEntry::note)
        .containsExactly("kept on meta: older_kind, owner");

    isKept(MYDB, "owner", AttributeValue.fromM(Map.of("name", AttributeValue.fromS("me"))));
    isKept(MYDB, "older_kind", AttributeValue.fromN("3"));
  }

  @Test
  void theFirstWriteKeepsWhatHasNoPlaceInARecord() {
    AttributeValue bytes = AttributeValue.fromB(SdkBytes.fromUtf8String("x"));
    tables.put(LegacyTableTest.BM25.replace("\"head_v\":0,\"head\":null", HEAD_OF_SOURCE));
    tables
        .client()
        .updateItem(
            u ->
                u.tableName(tables.name())
                    .key(Map.of("pk", AttributeValue.fromS("vg:search:main")))
                    .updateExpression("SET blob_of_others = :raw")
                    .expressionAttributeValues(Map.of(":raw", bytes)));

    names.graphSources().publishIndex(SEARCH, Ref.of("i43", 43));

    assertThat(table.rows("search:main")).isNotEmpty();
    isKept(SEARCH, "blob_of_others", bytes);
    isKept(SEARCH, "head_v", AttributeValue.fromN("4"));
    isKept(
        SEARCH,
        "head",
        AttributeValue.fromM(
            Map.of(
                "sync_t", AttributeValue.fromN("42"), "sync_address", AttributeValue.fromS("a"))));
  }

  @Test
  void theFirstWriteKeepsWhatHasNoPlaceInAFlatItem(DynamoDbServer server) {
    try (LegacyTables flat = LegacyTables.create(server, "ledger_alias")) {
      flat.put(LegacyTableTest.FLAT.replace("}", ",\"owner\":\"me\",\"retracted\":true}"));
      NameService flatNames = flat.now().names();
      Address address = Address.parse("flat");

      flatNames.ledgers().publishCommit(address, Ref.of("c43", 43));
      flatNames.retract(address);
      flatNames.restore(address);

      Map<String, AttributeValue> meta = flat.now().rows("flat:main").get(AttributeNames.META);
      assertThat(meta)
          .containsEntry("owner", AttributeValue.fromS("me"))
          .containsEntry("older_retracted", AttributeValue.fromBool(true))
          .containsEntry("retracted", AttributeValue.fromBool(false));
      assertThat(flatNames.find(address).orElseThrow().commit()).isEqualTo(Ref.of("c43", 43));
    }
  }

  /** Also when the record is changed as a whole. */
  private void isKept(Address address, String attribute, AttributeValue value) {
    String pk = address.toString();
    assertThat(table.rows(pk).get(AttributeNames.META)).containsEntry(attribute, value);
    names.retract(address);
    names.restore(address);
    assertThat(table.rows(pk).get(AttributeNames.META)).containsEntry(attribute, value);
  }

  // Items of this table.

  @Test
  void scalarsBecomeMapsAndNothingElseChanges() {
    try (NameService fluree = in(Dialect.FLUREE)) {
      fill(fluree);
    }
    List<NameRecord> before = all();

    List<MigrationEntry> done = migrate(MigrationMode.DRY_RUN);
    assertThat(done)
        .containsExactly(
            new MigrationEntry(
                "mydb:main head, index, status",
                "scalars",
                Optional.of(MYDB),
                Outcome.CONVERTED,
                ""),
            new MigrationEntry(
                "search:main meta, index, status, config",
                "scalars",
                Optional.of(SEARCH),
                Outcome.CONVERTED,
                ""));
    assertThat(table.rows("mydb:main").get("head")).containsKey("commit_id");
    assertThat(migrate(MigrationMode.APPLY)).isEqualTo(done);

    assertThat(all()).isEqualTo(before);
    assertThat(table.rows("mydb:main").get("head"))
        .doesNotContainKey("commit_id")
        .containsEntry(
            "commit",
            AttributeValue.fromM(
                Map.of("id", AttributeValue.fromS("c1"), "t", ItemCodec.number(1))));
    assertThat(table.rows("mydb:main").get("index")).doesNotContainKeys("index_id", "exact");
    assertThat(table.rows("search:main").get("meta"))
        .containsEntry("source_type", AttributeValue.fromS("f:IcebergSource"));
    assertThat(migrate(MigrationMode.APPLY)).isEmpty();
  }

  @Test
  void mapsBecomeScalarsInTheDialectOfFluree() {
    fill(names);
    List<NameRecord> before = all();
    try (NameService fluree = in(Dialect.FLUREE)) {
      try (var lines = fluree.migrate(MigrationMode.APPLY)) {
        assertThat(lines.map(MigrationEntry::form)).containsExactly("maps", "maps");
      }
      assertThat(table.rows("mydb:main").get("head"))
          .doesNotContainKey("commit")
          .containsEntry("commit_id", AttributeValue.fromS("c1"));
      assertThat(table.rows("search:main").get("config"))
          .doesNotContainKey("config")
          .containsEntry("config_json", AttributeValue.fromS("{\"k\": 1.0}"));
      try (var lines = fluree.migrate(MigrationMode.APPLY)) {
        assertThat(lines).isEmpty();
      }
    }
    assertThat(all()).isEqualTo(before);
  }

  @Test
  void aDamagedRecordOfThisTableIsNamedAndOthersAreConverted() {
    try (NameService fluree = in(Dialect.FLUREE)) {
      fill(fluree);
    }
    table.put("mydb:main", "head", Map.of("commit_t", AttributeValue.fromS("five")));

    assertThat(migrate(MigrationMode.APPLY))
        .satisfiesExactly(
            line -> {
              assertThat(line.outcome()).isEqualTo(Outcome.FAILED);
              assertThat(line.to()).contains(MYDB);
              assertThat(line.note()).contains("commit_t");
            },
            line -> assertThat(line.to()).contains(SEARCH));
  }

  private NameService in(Dialect dialect) {
    return new NameService(table.anotherBackend(settings -> settings.withDialect(dialect)));
  }

  private static void fill(NameService names) {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
    names
        .graphSources()
        .publish(SEARCH, SourceType.ICEBERG, Payload.parse("{\"k\": 1.0}"), List.of("mydb:main"));
    names.graphSources().publishIndex(SEARCH, Ref.of("i7", 7));
  }

  private List<NameRecord> all() {
    try (var records = table.backend().list("", "")) {
      return records.toList();
    }
  }

  private List<MigrationEntry> migrate(MigrationMode mode) {
    try (var lines = names.migrate(mode)) {
      return lines.toList();
    }
  }

  private MigrationEntry converted(String alias, String form, Address to) {
    return new MigrationEntry(
        tables.name() + " " + alias, form, Optional.of(to), Outcome.CONVERTED, "");
  }

  private static boolean isConverted(MigrationEntry line) {
    return line.outcome() == Outcome.CONVERTED;
  }
}
