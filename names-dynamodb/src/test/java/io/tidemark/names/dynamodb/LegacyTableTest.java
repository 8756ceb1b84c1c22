// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.names.RetractedException;
import io.tidemark.names.SourceType;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Records of a table in which each was one item, read where they are and brought over by the first
 * write. The items are the examples of the first seed.
 */
@ExtendWith(ServerExtension.class)
class LegacyTableTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address SEARCH = Address.parse("search");

  static final String LEDGER =
      """
      {"pk":"mydb:main","v":2,"type":"ledger","name":"mydb","branch":"main","deps":null,
       "created_at":1705312200,"retracted":false,
       "head_v":42,"head":{"address":"fluree:s3://bucket/commits/mydb/main/t42.json","t":42},
       "index_v":17,"index":{
         "default":{"address":"fluree:s3://bucket/index/mydb/main/default-t42-r0.avro","t":42,
           "rev":0},
         "txn-metadata":{"address":"fluree:s3://bucket/index/mydb/main/txn-meta-t40-r0.avro",
           "t":40,"rev":0},
         "audit-log":null},
       "status_v":89,"status":{"state":"ready","queue_depth":3,"last_commit_ms":45},
       "config_v":2,"config":{"default_context":"fluree:s3://bucket/contexts/v1.json",
         "index_threshold":1000}}""";

  static final String UNBORN =
      """
      {"pk":"newdb:main","v":2,"type":"ledger","name":"newdb","branch":"main","deps":null,
       "created_at":1705312200,"retracted":false,"head_v":0,"head":null,"index_v":0,"index":null,
       "status_v":1,"status":{"state":"ready"},"config_v":0,"config":null}""";

  static final String RETRACTED =
      """
      {"pk":"olddb:main","v":2,"type":"ledger","name":"olddb","branch":"main","deps":null,
       "created_at":1705300000,"retracted":true,
       "head_v":100,"head":{"address":"fluree:s3://bucket/commits/olddb/main/t100.json","t":100},
       "index_v":0,"index":null,
       "status_v":200,"status":{"state":"retracted","retracted_at":1705312200,
         "reason":"Migrated to newdb"},
       "config_v":5,"config":{"a":1}}""";

  static final String BM25 =
      """
      {"pk":"vg:search:main","v":2,"type":"vg:bm25","name":"search","branch":"main",
       "deps":["mydb:main"],"created_at":1705312200,"retracted":false,"head_v":0,"head":null,
       "index_v":5,"index":{"address":"fluree:s3://bucket/bm25/search/snapshot-t42.bin",
         "sync_t":42},
       "status_v":12,"status":{"state":"ready","sync_lag":0},
       "config_v":1,"config":{"k1":1.2,"b":0.75,"fields":["title","body"]}}""";

  static final String FLAT =
      """
      {"ledger_alias":"flat:main","ledger_name":"flat","branch":"main",
       "commit_address":"fluree:s3://bucket/commits/t42.json","commit_t":42,
       "index_address":"fluree:s3://bucket/index/t40.json","index_t":40,
       "default_context_address":"fluree:s3://bucket/contexts/v1.json",
       "status":"ready","updated_at":1705312200}""";

  private final LegacyTables tables;
  private final TestTable table;
  private final NameService names;
  private final DynamoDbServer server;

  LegacyTableTest(DynamoDbServer server) {
    this.server = server;
    tables = LegacyTables.create(server, "pk");
    table = tables.now();
    names = table.names();
  }

  @AfterEach
  void close() {
    tables.close();
  }

  // Reading.

  @Test
  void aLedgerThatIsOneItemIsRead() {
    tables.put(LEDGER);

    NameRecord record = names.find(MYDB).orElseThrow();

    assertThat(record.meta().kind()).isEqualTo(RecordKind.LEDGER);
    assertThat(record.meta().createdAt()).contains(1705312200L);
    assertThat(record.meta().indexRev()).isEqualTo(17);
    assertThat(record.commit())
        .isEqualTo(Ref.of("fluree:s3://bucket/commits/mydb/main/t42.json", 42));
    assertThat(record.indexed())
        .isEqualTo(Ref.of("fluree:s3://bucket/index/mydb/main/default-t42-r0.avro", 42));
    assertThat(record.index())
        .isEqualTo(
            at(
                42,
                "{\"audit-log\":null,"
                    + "\"default\":{\"id\":"
                    + "\"fluree:s3://bucket/index/mydb/main/default-t42-r0.avro\",\"t\":42,\"rev\":0},"
                    + "\"txn-metadata\":{\"id\":"
                    + "\"fluree:s3://bucket/index/mydb/main/txn-meta-t40-r0.avro\",\"t\":40,\"rev\":0}}"));
    assertThat(record.status())
        .isEqualTo(at(89, "{\"state\":\"ready\",\"queue_depth\":3,\"last_commit_ms\":45}"));
    assertThat(record.config())
        .isEqualTo(
            at(
                2,
                "{\"default_context\":\"fluree:s3://bucket/contexts/v1.json\","
                    + "\"index_threshold\":1000}"));
    for (Concern concern : Concern.values()) {
      assertThat(names.get(MYDB, concern)).contains(record.concern(concern));
    }
    assertThat(table.rows("mydb:main")).isEmpty();
  }

  @Test
  void aGraphSourceLosesItsPrefix() {
    tables.put(BM25);

    NameRecord record = names.graphSources().find(SEARCH).orElseThrow();

    assertThat(record.meta().sourceType()).contains(SourceType.BM25);
    assertThat(record.meta().dependencies()).containsExactly("mydb:main");
    assertThat(record.indexed())
        .isEqualTo(Ref.of("fluree:s3://bucket/bm25/search/snapshot-t42.bin", 42));
    assertThat(record.meta().indexRev()).isEqualTo(5);
    assertThat(record.status()).isEqualTo(at(12, "{\"state\":\"ready\",\"sync_lag\":0}"));
    assertThat(record.config())
        .isEqualTo(at(1, "{\"k1\":1.2,\"b\":0.75,\"fields\":[\"title\",\"body\"]}"));
    assertThat(names.get(SEARCH, Concern.HEAD)).isEmpty();
  }

  @Test
  void unbornRetractedAndAbsentAreToldApart() {
    tables.put(UNBORN);
    tables.put(RETRACTED);

    NameRecord unborn = names.find(Address.parse("newdb")).orElseThrow();
    assertThat(unborn.head()).isEqualTo(ConcernValue.UNBORN);
    assertThat(unborn.index()).isEqualTo(ConcernValue.UNBORN);
    assertThat(unborn.config()).isEqualTo(ConcernValue.UNBORN);
    assertThat(unborn.status()).isEqualTo(at(1, "{\"state\":\"ready\"}"));
    Address olddb = Address.parse("olddb");
    assertThat(names.find(olddb).orElseThrow().meta().retracted()).isTrue();
    assertThatThrownBy(() -> names.ledgers().publishCommit(olddb, Ref.of("c", 101)))
        .isInstanceOf(RetractedException.class);
    assertThat(names.restore(olddb).commit().t()).isEqualTo(100);
    assertThat(names.find(MYDB)).isEmpty();
  }

  @Test
  void aFlatItemIsRead() {
    try (LegacyTables flat = LegacyTables.create(server, "ledger_alias")) {
      flat.put(FLAT);
      flat.put("{\"ledger_alias\":\"gone\",\"commit_t\":0,\"index_t\":0,\"status\":\"retracted\"}");
      NameService fromFlat = flat.now().names();

      NameRecord record = fromFlat.find(Address.parse("flat")).orElseThrow();
      assertThat(record.commit()).isEqualTo(Ref.of("fluree:s3://bucket/commits/t42.json", 42));
      assertThat(record.index())
          .isEqualTo(
              at(
                  40,
                  "{\"default\":{\"id\":\"fluree:s3://bucket/index/t40.json\",\"t\":40,\"rev\":0}}"));
      assertThat(record.meta().indexRev()).isEqualTo(1);
      assertThat(record.status()).isEqualTo(at(1, "{\"state\":\"ready\"}"));
      assertThat(record.config())
          .isEqualTo(at(1, "{\"default_context_id\":\"fluree:s3://bucket/contexts/v1.json\"}"));
      NameRecord gone = fromFlat.find(Address.parse("gone:main")).orElseThrow();
      assertThat(gone.meta().retracted()).isTrue();
      assertThat(gone.head()).isEqualTo(ConcernValue.UNBORN);
      assertThat(gone.config()).isEqualTo(ConcernValue.UNBORN);
      assertThat(list(fromFlat, "")).containsExactly("flat:main", "gone:main");
    }
  }

  @Test
  void bothTablesAreListedAsOne() {
    tables.put(LEDGER);
    tables.put(UNBORN);
    tables.put(BM25);
    names.create(Address.parse("here"));
    names.ledgers().publishCommit(MYDB, Ref.of("c43", 43));

    assertThat(list(names, ""))
        .containsExactly("here:main", "mydb:main", "newdb:main", "search:main");
    assertThat(list(names, "n")).containsExactly("newdb:main");
    try (var records = table.backend().list("", "mydb:main")) {
      assertThat(records.map(r -> r.address().toString()))
          .containsExactly("newdb:main", "search:main");
    }
    try (var records = names.list(RecordFilter.all().startingWith("mydb"))) {
      assertThat(records.map(NameRecord::commit)).containsExactly(Ref.of("c43", 43));
    }
  }

  // Writing.

  @Test
  void theFirstWriteBringsARecordOver() {
    tables.put(LEDGER);
    Map<String, Map<String, AttributeValue>> before = tables.rows();
    NameRecord record = names.find(MYDB).orElseThrow();
    ConcernValue next = at(90, "{\"state\":\"indexing\"}");

    assertThat(names.push(MYDB, Concern.STATUS, Optional.of(record.status()), next).updated())
        .isTrue();

    NameRecord after = names.find(MYDB).orElseThrow();
    assertThat(after.status()).isEqualTo(next);
    assertThat(after.head()).isEqualTo(record.head());
    assertThat(after.index()).isEqualTo(record.index());
    assertThat(after.config()).isEqualTo(record.config());
    assertThat(after.meta().createdAt()).contains(1705312200L);
    assertThat(after.meta().indexRev()).isEqualTo(17);
    assertThat(table.rows("mydb:main").keySet())
        .containsExactly("config", "head", "index", "meta", "migrated#" + tables.name(), "status");
    assertThat(tables.rows()).isEqualTo(before);

    table.wire().reset();
    assertThat(names.ledgers().publishCommit(MYDB, Ref.of("c43", 43)).updated()).isTrue();
    assertThat(table.wire().requests()).containsExactly("UpdateItem");
  }

  @Test
  void aConflictWithARecordOfTheOlderTableSaysWhatIsThere() {
    tables.put(LEDGER);

    var result =
        names.push(
            MYDB, Concern.HEAD, Optional.of(ConcernValue.UNBORN), at(1, "{\"id\":\"c1\",\"t\":1}"));

    assertThat(result.updated()).isFalse();
    assertThat(names.find(MYDB).orElseThrow().commit().t()).isEqualTo(42);
  }

  @Test
  void whatIsInTheOlderTableIsntCreatedAgain() {
    tables.put(LEDGER);
    tables.put(BM25);

    assertThatThrownBy(() -> names.create(MYDB)).isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> names.create(SEARCH)).isInstanceOf(AlreadyExistsException.class);
  }

  @Test
  void aRecordIsRetractedRestoredAndPurgedForGood() {
    tables.put(LEDGER);

    assertThat(names.retract(MYDB).meta().retracted()).isTrue();
    assertThat(names.restore(MYDB).commit().t()).isEqualTo(42);
    names.purge(MYDB);

    assertThat(names.find(MYDB)).isEmpty();
    assertThat(names.get(MYDB, Concern.HEAD)).isEmpty();
    assertThat(list(names, "")).isEmpty();
    assertThat(names.create(MYDB).head()).isEqualTo(ConcernValue.UNBORN);
    names.purge(MYDB);
    assertThat(names.find(MYDB)).isEmpty();
  }

  @Test
  void whatWasNeverBroughtOverCanBePurgedToo() {
    tables.put(BM25);

    names.purge(SEARCH);

    assertThat(names.find(SEARCH)).isEmpty();
    assertThat(table.rows("search:main").keySet()).containsExactly("migrated#" + tables.name());
    assertThat(tables.rows()).containsOnlyKeys("vg:search:main");
  }

  @Test
  void aRecordThatWasPurgedByWhoeverDoesntKnowOfTheOlderTableStaysGone() {
    tables.put(LEDGER);
    names.ledgers().publishCommit(MYDB, Ref.of("c43", 43));

    try (NameService unaware =
        new NameService(
            table.anotherBackend(
                s ->
                    DynamoDbSettings.of(s.table())
                        .withRegion(s.region())
                        .withEndpoint(s.endpoint())
                        .withCredentials(s.credentials())))) {
      unaware.purge(MYDB);
    }

    assertThat(names.find(MYDB)).isEmpty();
  }

  @Test
  void ofARecordThatWasCreatedHereBeforeNothingComesBackEither() {
    names.create(MYDB);
    tables.put(LEDGER);
    assertThat(names.find(MYDB).orElseThrow().head()).isEqualTo(ConcernValue.UNBORN);

    names.purge(MYDB);

    assertThat(names.find(MYDB)).isEmpty();
  }

  @Test
  void manyWhoBringARecordOverAtOnceLoseNoChange() throws Exception {
    tables.put(LEDGER);
    ExecutorService pool = Executors.newFixedThreadPool(6);
    try {
      List<Callable<Boolean>> writers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        writers.add(this::count);
      }
      for (Future<Boolean> writer : pool.invokeAll(writers)) {
        assertThat(writer.get()).isTrue();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(names.get(MYDB, Concern.STATUS).orElseThrow().watermark()).isEqualTo(89 + 6);
  }

  private boolean count() {
    while (true) {
      ConcernValue now = names.get(MYDB, Concern.STATUS).orElseThrow();
      ConcernValue next = at(now.watermark() + 1, "{\"state\":\"ready\"}");
      if (names.push(MYDB, Concern.STATUS, Optional.of(now), next).updated()) {
        return true;
      }
    }
  }

  @Test
  void lostAnswersOnTheWayAreResolved() {
    tables.put(LEDGER);
    table.wire().loseAnswers(2);

    NameRecord retracted = names.retract(MYDB);

    assertThat(names.find(MYDB)).contains(retracted);
    assertThat(retracted.status().watermark()).isEqualTo(90);
  }

  // What can't be meant.

  @Test
  void aDamagedItemFailsItsRecordAndTheListingButNoOther() {
    tables.put("{\"pk\":\"bad:main\",\"v\":2,\"type\":\"ledger\",\"head_v\":\"five\"}");
    tables.put(LEDGER);

    assertThatThrownBy(() -> names.find(Address.parse("bad")))
        .isInstanceOf(CorruptRecordException.class)
        .hasMessageContaining("the item bad:main in the table " + tables.name())
        .hasMessageContaining("head_v");
    assertThatThrownBy(() -> list(names, "")).isInstanceOf(CorruptRecordException.class);
    assertThat(list(names, "my")).containsExactly("mydb:main");
    assertThat(names.find(MYDB)).isPresent();
  }

  @Test
  void aTableThatIsNoOlderOneIsRefused() {
    try (TestTable wrong =
        TestTable.create(server, s -> s.withMigrateFrom(Optional.of(table.name())))) {
      assertThatThrownBy(() -> wrong.names().find(MYDB))
          .isInstanceOf(UnsupportedStoreException.class)
          .hasMessageContaining(table.name())
          .hasMessageContaining("open it by its own location");
    }
  }

  @Test
  void anOlderTableThatIsMissingIsNamed() {
    try (TestTable wrong =
        TestTable.create(server, s -> s.withMigrateFrom(Optional.of("no-such-table")))) {
      assertThatThrownBy(() -> wrong.names().find(MYDB))
          .isInstanceOf(InvalidLocationException.class)
          .hasMessageContaining("no-such-table");
    }
  }

  private static List<String> list(NameService names, String prefix) {
    try (var records = names.list(RecordFilter.all().startingWith(prefix))) {
      return records.map(record -> record.address().toString()).toList();
    }
  }

  private static ConcernValue at(long watermark, String json) {
    return ConcernValue.of(watermark, Payload.parse(json));
  }
}
