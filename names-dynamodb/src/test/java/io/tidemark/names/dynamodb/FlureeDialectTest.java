// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.testkit.servers.DynamoDbServer;
import io.tidemark.testkit.servers.ServerExtension;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that Fluree can read, and what it makes of them. */
@ExtendWith(ServerExtension.class)
class FlureeDialectTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final Address SEARCH = Address.parse("search");

  private final TestTable table;
  private final NameService names;

  FlureeDialectTest(DynamoDbServer server) {
    table = TestTable.create(server, settings -> settings.withDialect(Dialect.FLUREE));
    names = table.names();
  }

  @AfterEach
  void close() {
    table.close();
  }

  @Test
  void whatIsUnbornIsAnAbsentAttribute() {
    names.create(MYDB);

    assertThat(attributes("mydb:main", "meta"))
        .containsOnlyKeys("kind", "name", "branch", "retracted", "created_at", "record_id");
    assertThat(attributes("mydb:main", "head")).isEqualTo(Map.of("commit_t", number(0)));
    assertThat(attributes("mydb:main", "index")).isEqualTo(Map.of("index_t", number(0)));
    assertThat(attributes("mydb:main", "status"))
        .isEqualTo(Map.of("status_v", number(1), "status", string("ready")));
    assertThat(attributes("mydb:main", "config")).isEqualTo(Map.of("config_v", number(0)));
  }

  @Test
  void aBornLedgerHasScalars() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c42", 42));
    names.ledgers().publishIndex(MYDB, Ref.of("i40", 40));
    push(MYDB, Concern.STATUS, at(2, "{\"state\":\"indexing\",\"queue_depth\":2}"));
    push(MYDB, Concern.CONFIG, at(1, "{\"default_context_id\":\"x1\",\"index_threshold\":10}"));

    assertThat(attributes("mydb:main", "head"))
        .isEqualTo(Map.of("commit_t", number(42), "commit_id", string("c42")));
    assertThat(attributes("mydb:main", "index"))
        .containsOnlyKeys("index_t", "index_id", "exact", "index_rev")
        .containsEntry("index_t", number(40))
        .containsEntry("index_id", string("i40"));
    assertThat(attributes("mydb:main", "status"))
        .isEqualTo(
            Map.of(
                "status_v",
                number(2),
                "status",
                string("indexing"),
                "status_meta",
                AttributeValue.fromM(Map.of("queue_depth", number(2)))));
    assertThat(attributes("mydb:main", "config"))
        .isEqualTo(
            Map.of(
                "config_v",
                number(1),
                "default_context_address",
                string("x1"),
                "config_meta",
                AttributeValue.fromM(Map.of("index_threshold", number(10)))));
  }

  @ParameterizedTest
  @CsvSource({
    "f:IcebergSource, f:IcebergMapping",
    "f:R2rmlSource, f:R2rmlMapping",
    "f:Bm25Index, f:Bm25Index",
    "https://example.com/Custom, https://example.com/Custom"
  })
  void aGraphSourceHasItsConfigAsTextAndATypeThatFlureeKnows(String type, String written) {
    String config = "{\"k1\": 1.20, \"b\":0.75}";
    names
        .graphSources()
        .publish(SEARCH, new SourceType(type), Payload.parse(config), List.of("mydb:main"));
    names.graphSources().publishIndex(SEARCH, Ref.of("i7", 7));

    assertThat(attributes("search:main", "meta"))
        .containsEntry("source_type", string(written))
        .containsEntry("dependencies", AttributeValue.fromL(List.of(string("mydb:main"))));
    assertThat(attributes("search:main", "config"))
        .isEqualTo(Map.of("config_v", number(1), "config_json", string(config)));
    assertThat(attributes("search:main", "index")).containsEntry("index_id", string("i7"));
    NameRecord record = names.graphSources().find(SEARCH).orElseThrow();
    assertThat(record.meta().sourceType()).contains(new SourceType(type));
    assertThat(record.config().payload().map(Payload::toJson)).contains(config);

    // A push doesn't know that it is a graph source.
    push(SEARCH, Concern.CONFIG, at(2, "{\"k1\":1.5}"));
    assertThat(attributes("search:main", "config"))
        .isEqualTo(Map.of("config_v", number(2), "config_json", string("{\"k1\":1.5}")));
  }

  @Test
  void aBranchSaysWhereItIsFrom() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.branches().create(MYDB, "dev", Optional.empty());

    assertThat(attributes("mydb:dev", "meta")).containsEntry("bp_source", string("main"));
    assertThat(attributes("mydb:main", "meta")).containsEntry("branches", number(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"default\":{\"id\":\"i5\",\"t\":5,\"rev\":2},\"txn-metadata\":null}",
        "{\"id\":\"i5\",\"index_t\":5,\"snapshot_id\":\"1234567890123456789\"}",
        "{\"default\":null}",
        "{}"
      })
  void anIndexComesBackWhateverItSays(String json) {
    names.create(MYDB);
    push(MYDB, Concern.INDEX, at(5, json));
    table.wire().reset();

    assertThat(names.get(MYDB, Concern.INDEX)).contains(at(5, json));
    assertThat(table.wire().requests()).containsExactly("GetItem");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"default_context\":\"x\"}",
        "{\"default_context_id\":\"x\",\"default_context\":\"y\"}",
        "{\"default_context_id\":1}",
        "{\"n\":1.00,\"\":2}",
        "{\"z\":1, \"a\":2}"
      })
  void aConfigComesBackAsItWasSpelled(String json) {
    names.create(MYDB);
    push(MYDB, Concern.CONFIG, at(1, json));

    ConcernValue found = names.get(MYDB, Concern.CONFIG).orElseThrow();
    assertThat(found).isEqualTo(at(1, json));
    assertThat(found.payload().map(Payload::toJson)).contains(json);
    push(MYDB, Concern.CONFIG, new ConcernValue(2, Optional.empty()));
    assertThat(attributes("mydb:main", "config")).isEqualTo(Map.of("config_v", number(2)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"state\":\"x\",\"n\":1.00}",
        "{\"state\":\"x\",\"n\":123456789012345678901234567890123456789012345}",
        "{\"state\":\"x\",\"\":{\"a\":[1e400]}}"
      })
  void aNumberComesBackAsItWasSpelled(String json) {
    names.create(MYDB);
    push(MYDB, Concern.STATUS, at(2, json));

    assertThat(names.get(MYDB, Concern.STATUS).orElseThrow().payload().map(Payload::toJson))
        .contains(json);
  }

  @Test
  void aPushIsOneRequestAndSoIsAConflict() {
    names.create(MYDB);
    table.wire().reset();

    ConcernValue first = at(1, "{\"id\":\"c1\",\"t\":1}");
    assertThat(push(MYDB, Concern.HEAD, ConcernValue.UNBORN, first)).isTrue();
    assertThat(push(MYDB, Concern.HEAD, ConcernValue.UNBORN, first)).isFalse();
    assertThat(push(MYDB, Concern.HEAD, first, at(2, "{\"id\":\"c2\",\"t\":2}"))).isTrue();
    assertThat(table.wire().requests()).containsExactly("UpdateItem", "UpdateItem", "UpdateItem");
  }

  /** As Fluree does: its scalars are set, what it doesn't know stays as it is. */
  @Test
  void whatFlureeWritesAfterwardsCounts() {
    names.create(MYDB);
    push(MYDB, Concern.HEAD, at(1, "{\"id\":\"c1\",\"t\":1,\"more\":true}"));
    push(MYDB, Concern.INDEX, at(1, "{\"default\":{\"id\":\"i1\",\"t\":1,\"rev\":4}}"));
    push(MYDB, Concern.STATUS, at(2, "{\"state\":\"ready\",\"n\":1.0}"));
    push(MYDB, Concern.CONFIG, at(1, "{\"default_context\":\"x\"}"));
    assertThat(attributes("mydb:main", "head")).containsKey("exact");

    set("head", "SET commit_id = :a, commit_t = :n", "c2", 2);
    set("index", "SET index_id = :a, index_t = :n", "i1b", 1);
    set("status", "SET #s = :a, status_v = :n REMOVE status_meta", "indexing", 3);
    set("config", "SET default_context_address = :a, config_v = :n", "y", 2);

    assertThat(names.get(MYDB, Concern.HEAD)).contains(at(2, "{\"id\":\"c2\",\"t\":2}"));
    assertThat(names.get(MYDB, Concern.INDEX))
        .contains(at(1, "{\"default\":{\"id\":\"i1b\",\"t\":1,\"rev\":0}}"));
    assertThat(names.get(MYDB, Concern.STATUS)).contains(at(3, "{\"state\":\"indexing\"}"));
    assertThat(names.get(MYDB, Concern.CONFIG)).contains(at(2, "{\"default_context_id\":\"y\"}"));
    for (Concern concern : Concern.values()) {
      ConcernValue now = names.get(MYDB, concern).orElseThrow();
      assertThat(names.find(MYDB).orElseThrow().concern(concern)).isEqualTo(now);
    }
    push(MYDB, Concern.HEAD, at(3, "{\"id\":\"c3\",\"t\":3}"));
    assertThat(attributes("mydb:main", "head"))
        .isEqualTo(Map.of("commit_t", number(3), "commit_id", string("c3")));
  }

  /** Fluree has reset the head and come to the same t by another commit. */
  @Test
  void anotherCommitOfFlureeAtTheSameTimeCounts() {
    names.create(MYDB);
    ConcernValue ours = at(1, "{\"id\":\"c1\",\"t\":1,\"more\":true}");
    push(MYDB, Concern.HEAD, ours);
    set("head", "SET commit_id = :a, commit_t = :n", "c1b", 1);

    assertThat(names.get(MYDB, Concern.HEAD)).contains(at(1, "{\"id\":\"c1b\",\"t\":1}"));
    assertThat(push(MYDB, Concern.HEAD, ours, at(2, "{\"id\":\"c2\",\"t\":2}"))).isFalse();
  }

  @Test
  void eachDialectReadsAndRewritesTheOther() {
    try (NameService standard =
        new NameService(table.anotherBackend(s -> s.withDialect(Dialect.STANDARD)))) {
      standard.create(MYDB);
      standard.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
      assertThat(names.ledgers().publishCommit(MYDB, Ref.of("c2", 2)).updated()).isTrue();
      assertThat(attributes("mydb:main", "head"))
          .isEqualTo(Map.of("commit_t", number(2), "commit_id", string("c2")));
      assertThat(standard.find(MYDB)).isEqualTo(names.find(MYDB));
      assertThat(standard.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("c2", 2));

      assertThat(standard.ledgers().publishCommit(MYDB, Ref.of("c3", 3)).updated()).isTrue();
      assertThat(attributes("mydb:main", "head")).containsOnlyKeys("commit_t", "commit");
      set("head", "SET commit_id = :a, commit_t = :n", "c4", 4);
      assertThat(standard.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.of("c4", 4));
    }
  }

  private void set(String sk, String update, String text, long n) {
    Map<String, String> reserved = update.contains("#s") ? Map.of("#s", "status") : Map.of();
    table
        .client()
        .updateItem(
            u ->
                u.tableName(table.name())
                    .key(ItemCodec.key("mydb:main", sk))
                    .updateExpression(update)
                    .expressionAttributeNames(reserved.isEmpty() ? null : reserved)
                    .expressionAttributeValues(Map.of(":a", string(text), ":n", number(n))));
  }

  private void push(Address address, Concern concern, ConcernValue next) {
    ConcernValue now = names.get(address, concern).orElseThrow();
    assertThat(push(address, concern, now, next)).isTrue();
  }

  private boolean push(Address address, Concern concern, ConcernValue expected, ConcernValue next) {
    return names.push(address, concern, Optional.of(expected), next).updated();
  }

  private Map<String, AttributeValue> attributes(String pk, String sk) {
    Map<String, AttributeValue> item = new HashMap<>(table.rows(pk).getOrDefault(sk, Map.of()));
    item.keySet().removeAll(List.of("pk", "sk", "schema", "updated_at_ms", "write_id"));
    return item;
  }

  private static ConcernValue at(long watermark, String json) {
    return ConcernValue.of(watermark, Payload.parse(json));
  }

  private static AttributeValue string(String text) {
    return AttributeValue.fromS(text);
  }

  private static AttributeValue number(long n) {
    return ItemCodec.number(n);
  }
}
