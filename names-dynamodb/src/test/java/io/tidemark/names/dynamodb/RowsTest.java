// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.NULL;
import static io.tidemark.names.dynamodb.Samples.SEARCH;
import static io.tidemark.names.dynamodb.Samples.head;
import static io.tidemark.names.dynamodb.Samples.number;
import static io.tidemark.names.dynamodb.Samples.push;
import static io.tidemark.names.dynamodb.Samples.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SourceType;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Which rows a record is, and how many requests it takes to write and read them. */
class RowsTest extends DynamoDbTestBase {

  RowsTest(DynamoDbServer server) {
    super(server);
  }

  @Test
  void aLedgerIsFiveRowsWrittenInOneRequest_names68() {
    names.create(MYDB);

    assertThat(wire.requests()).containsExactly("TransactWriteItems");
    Map<String, Map<String, AttributeValue>> rows = table.rows("mydb:main");
    assertThat(rows.keySet()).containsExactly("config", "head", "index", "meta", "status");
    assertThat(attributes(rows, "meta"))
        .containsOnlyKeys(
            "kind", "name", "branch", "dependencies", "retracted", "created_at", "record_id")
        .containsEntry("kind", string("ledger"))
        .containsEntry("name", string("mydb"))
        .containsEntry("branch", string("main"))
        .containsEntry("dependencies", NULL)
        .containsEntry("retracted", AttributeValue.fromBool(false));
    assertThat(attributes(rows, "head")).isEqualTo(Map.of("commit_t", number(0), "commit", NULL));
    assertThat(attributes(rows, "index")).isEqualTo(Map.of("index_t", number(0), "index", NULL));
    assertThat(attributes(rows, "status"))
        .isEqualTo(
            Map.of(
                "status_v",
                number(1),
                "status",
                AttributeValue.fromM(Map.of("state", string("ready")))));
    assertThat(attributes(rows, "config")).isEqualTo(Map.of("config_v", number(0), "config", NULL));
  }

  @Test
  void aGraphSourceIsFourRows_names68() {
    names
        .graphSources()
        .publish(
            SEARCH,
            SourceType.BM25,
            Payload.parse("{\"b\":0.75,\"k1\":1.2}"),
            List.of("mydb:main"));

    Map<String, Map<String, AttributeValue>> rows = table.rows("search:main");
    assertThat(rows.keySet()).containsExactly("config", "index", "meta", "status");
    assertThat(attributes(rows, "meta"))
        .containsEntry("kind", string("graph_source"))
        .containsEntry("source_type", string("f:Bm25Index"))
        .containsEntry("dependencies", AttributeValue.fromL(List.of(string("mydb:main"))));
    assertThat(attributes(rows, "config"))
        .isEqualTo(
            Map.of(
                "config_v",
                number(1),
                "config",
                AttributeValue.fromM(
                    Map.of("k1", AttributeValue.fromN("1.2"), "b", AttributeValue.fromN("0.75")))));
  }

  @Test
  void aCommitIsAMapOfIdAndT() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c5", 5));

    assertThat(attributes(table.rows("mydb:main"), "head"))
        .isEqualTo(
            Map.of(
                "commit_t",
                number(5),
                "commit",
                AttributeValue.fromM(Map.of("id", string("c5"), "t", number(5)))));
  }

  @Test
  void whatWasCreatedIsFoundByOneQuery() {
    NameRecord created = names.create(MYDB);
    wire.reset();

    assertThat(backend.find(MYDB)).contains(created);
    assertThat(wire.requests()).containsExactly("Query");
  }

  @Test
  void aConcernIsReadByOneGet() {
    names.create(MYDB);
    wire.reset();

    assertThat(backend.get(MYDB, Concern.HEAD)).contains(ConcernValue.UNBORN);
    assertThat(wire.requests()).containsExactly("GetItem");
  }

  @Test
  void nothingIsFoundWhereNothingIs() {
    assertThat(backend.find(MYDB)).isEmpty();
    assertThat(backend.get(MYDB, Concern.STATUS)).isEmpty();
  }

  @Test
  void aGraphSourceHasNoHead() {
    names.graphSources().publish(SEARCH, SourceType.JDBC, Payload.parse("{}"), List.of());

    assertThat(backend.get(SEARCH, Concern.HEAD)).isEmpty();
    assertThat(backend.change(SEARCH, push(Concern.HEAD, ConcernValue.UNBORN, head("c", 1))))
        .isEqualTo(NameBackend.Missing.MISSING);
  }

  @Test
  void whatExistsIsntCreatedAgain() {
    NameRecord first = names.create(MYDB);

    assertThatThrownBy(() -> names.create(MYDB)).isInstanceOf(AlreadyExistsException.class);
    assertThat(backend.find(MYDB)).contains(first);
  }

  /** An item without what all items have; that it has that is checked here. */
  private static Map<String, AttributeValue> attributes(
      Map<String, Map<String, AttributeValue>> rows, String sk) {
    Map<String, AttributeValue> item = new HashMap<>(rows.getOrDefault(sk, Map.of()));
    assertThat(item).containsKeys("pk", "sk", "updated_at_ms", "write_id");
    assertThat(item).containsEntry("schema", number(2));
    item.keySet().removeAll(List.of("pk", "sk", "schema", "updated_at_ms", "write_id"));
    return item;
  }
}
