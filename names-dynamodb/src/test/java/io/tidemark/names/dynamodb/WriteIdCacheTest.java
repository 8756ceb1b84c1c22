// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.at;
import static io.tidemark.names.dynamodb.Samples.head;
import static io.tidemark.names.dynamodb.Samples.push;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameBackend.Retracted;
import io.tidemark.names.NameService;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Pushes from a state that this process has brought about itself, or seen, while others write. */
class WriteIdCacheTest extends DynamoDbTestBase {

  private static final ConcernValue C1 = head("c1", 1);
  private static final ConcernValue C2 = head("c2", 2);

  WriteIdCacheTest(DynamoDbServer server) {
    super(server);
  }

  @BeforeEach
  void weHaveMovedTheHead() {
    names.create(MYDB);
    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, C1)))
        .isEqualTo(new Applied(C1));
    wire.reset();
  }

  @Test
  void theNextPushIsOneRequestAndSoIsTheOneAfterAConflict() {
    assertThat(backend.change(MYDB, push(Concern.HEAD, C1, C2))).isEqualTo(new Applied(C2));
    assertThat(backend.change(MYDB, push(Concern.HEAD, C1, C2))).isEqualTo(new Refused(C2));
    assertThat(backend.change(MYDB, push(Concern.HEAD, C2, head("c3", 3))))
        .isEqualTo(new Applied(head("c3", 3)));
    assertThat(wire.requests()).containsExactly("UpdateItem", "UpdateItem", "UpdateItem");
  }

  @Test
  void whatAnotherProcessHasMovedIsNotTakenForOurs() {
    try (DynamoDbNameBackend other = table.anotherBackend()) {
      assertThat(other.change(MYDB, push(Concern.HEAD, C1, C2))).isEqualTo(new Applied(C2));
    }
    assertThat(backend.change(MYDB, push(Concern.HEAD, C1, head("x", 2))))
        .isEqualTo(new Refused(C2));
  }

  @Test
  void aRecordThatAnotherProcessHasRetractedIsNotMoved() {
    try (NameService other = new NameService(table.anotherBackend())) {
      other.retract(MYDB);
    }
    assertThat(backend.change(MYDB, push(Concern.HEAD, C1, C2))).isEqualTo(Retracted.RETRACTED);
    assertThat(backend.find(MYDB).orElseThrow().head()).isEqualTo(C1);
  }

  @Test
  void aRecordThatWasRetractedAndRestoredIsMovedWithOneRequest() {
    try (NameService other = new NameService(table.anotherBackend())) {
      other.retract(MYDB);
      other.restore(MYDB);
    }
    assertThat(backend.change(MYDB, push(Concern.HEAD, C1, C2))).isEqualTo(new Applied(C2));
  }

  @Test
  void aRecordThatWasPurgedAndMadeAnewAtTheSameTIsAnotherOne() {
    try (NameService other = new NameService(table.anotherBackend())) {
      other.purge(MYDB);
      other.create(MYDB);
      other.push(MYDB, Concern.HEAD, Optional.of(ConcernValue.UNBORN), head("another", 1));
    }
    assertThat(backend.change(MYDB, push(Concern.HEAD, C1, C2)))
        .isEqualTo(new Refused(head("another", 1)));
  }

  /** It sets the pointer and its t, and leaves the write id and the map as they are. */
  @Test
  void aProgramThatKnowsOfNoWriteIdsIsHeardEvenWhenItComesBackToTheSameT() {
    Map<String, AttributeValue> item =
        new HashMap<>(table.rows("mydb:main").getOrDefault("head", Map.of()));
    item.put("commit_id", AttributeValue.fromS("foreign"));
    table.put("mydb:main", "head", item);

    assertThat(backend.change(MYDB, push(Concern.HEAD, C1, C2)))
        .isEqualTo(new Refused(head("foreign", 1)));
    assertThat(backend.change(MYDB, push(Concern.HEAD, head("foreign", 1), C2)))
        .isEqualTo(new Applied(C2));
    assertThat(table.rows("mydb:main").get("head")).doesNotContainKey("commit_id");
  }

  /** It writes the map and its t as we do, and leaves the write id as it is. */
  @Test
  void aProgramThatWritesMapsWithoutWriteIdsIsHeardWhenItMovesTheHead() {
    Map<String, AttributeValue> item =
        new HashMap<>(table.rows("mydb:main").getOrDefault("head", Map.of()));
    item.put("commit_t", AttributeValue.fromN("2"));
    item.put("commit", AttributeValue.fromM(Map.of("id", AttributeValue.fromS("foreign"))));
    table.put("mydb:main", "head", item);

    assertThat(backend.change(MYDB, push(Concern.HEAD, C1, C2)))
        .isEqualTo(new Refused(at(2, "{\"id\":\"foreign\"}")));
  }

  @Test
  void aStatusIsComparedByItsPayloadWhoeverWroteIt() {
    ConcernValue busy = at(2, "{\"state\":\"busy\"}");
    ConcernValue ready = at(1, "{\"state\":\"ready\"}");
    assertThat(backend.change(MYDB, push(Concern.STATUS, ready, busy)))
        .isEqualTo(new Applied(busy));
    Map<String, AttributeValue> item =
        new HashMap<>(table.rows("mydb:main").getOrDefault("status", Map.of()));
    item.put("status", AttributeValue.fromM(Map.of("state", AttributeValue.fromS("odd"))));
    table.put("mydb:main", "status", item);

    assertThat(backend.change(MYDB, push(Concern.STATUS, busy, at(3, "{\"state\":\"ready\"}"))))
        .isEqualTo(new Refused(at(2, "{\"state\":\"odd\"}")));
  }
}
