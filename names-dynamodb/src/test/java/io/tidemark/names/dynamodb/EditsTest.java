// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.at;
import static io.tidemark.names.dynamodb.Samples.head;
import static io.tidemark.names.dynamodb.Samples.push;
import static io.tidemark.names.dynamodb.Samples.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditResult;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Ref;
import io.tidemark.names.RetractedException;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** What concerns a record as a whole: retracting, restoring, replacing, removing. */
class EditsTest extends DynamoDbTestBase {

  EditsTest(DynamoDbServer server) {
    super(server);
  }

  @ParameterizedTest
  @EnumSource(Concern.class)
  void aRetractedRecordTakesNoChangeOfAnyConcern(Concern concern) {
    names.create(MYDB);
    NameRecord retracted = names.retract(MYDB);
    wire.reset();

    ConcernValue next = at(9, "{\"id\":\"c9\",\"state\":\"ready\"}");
    assertThat(backend.change(MYDB, push(concern, retracted.concern(concern), next)))
        .isEqualTo(NameBackend.Retracted.RETRACTED);
    assertThat(wire.requests()).containsExactly("UpdateItem");
    assertThat(backend.find(MYDB)).contains(retracted);
  }

  @Test
  void retractingMarksEveryItemAndMovesTheStatus_names73_names5_9() {
    names.create(MYDB);
    names.retract(MYDB);

    assertThat(table.rows("mydb:main").values())
        .allSatisfy(
            item -> assertThat(item).containsEntry("retracted", AttributeValue.fromBool(true)));
    NameRecord record = backend.find(MYDB).orElseThrow();
    assertThat(record.status().watermark()).isEqualTo(2);
    assertThat(record.status().payload().flatMap(p -> p.string("state"))).contains("retracted");
  }

  @Test
  void aRestoredRecordTakesChangesAgain() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.retract(MYDB);
    assertThatThrownBy(() -> names.ledgers().publishCommit(MYDB, Ref.of("c2", 2)))
        .isInstanceOf(RetractedException.class);

    names.restore(MYDB);

    assertThat(names.ledgers().publishCommit(MYDB, Ref.of("c2", 2)).updated()).isTrue();
  }

  @Test
  void anEditThatWasOvertakenIsDecidedAnew() {
    names.create(MYDB);
    AtomicInteger calls = new AtomicInteger();
    try (NameBackend other = table.anotherBackend()) {
      Optional<EditResult> edited =
          backend.edit(
              MYDB,
              seen -> {
                if (calls.incrementAndGet() == 1) {
                  other.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1)));
                }
                return EditDecision.remove();
              });
      assertThat(calls).hasValue(2);
      assertThat(edited.orElseThrow().before().head()).isEqualTo(head("c1", 1));
      assertThat(backend.find(MYDB)).isEmpty();
    }
  }

  @Test
  void whatIsPurgedLeavesNothing() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), at(1, "{\"a\":1}"));
    addCommitRows(60);

    names.purge(MYDB);
    names.purge(MYDB);

    assertThat(table.rows("mydb:main")).isEmpty();
    NameRecord again = names.create(MYDB);
    assertThat(again.head()).isEqualTo(ConcernValue.UNBORN);
    assertThat(again.config()).isEqualTo(ConcernValue.UNBORN);
  }

  /** Fluree deletes meta first and the rest one by one, and may end in between. */
  @Test
  void whatAnotherProgramLeftOfAPurgedRecordIsNotInTheWay_names32() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    names.ledgers().publishIndex(MYDB, Ref.of("i1", 1));
    names.retract(MYDB);
    table.delete("mydb:main", List.of("meta", "config"));
    assertThat(names.find(MYDB)).isEmpty();

    NameRecord made = names.create(MYDB);
    assertThat(names.find(MYDB)).contains(made);
    assertThat(made.commit()).isEqualTo(Ref.UNBORN);
    assertThat(made.meta().indexRev()).isZero();
    assertThat(names.ledgers().publishCommit(MYDB, Ref.of("c1", 1)).updated()).isTrue();
    assertThatThrownBy(() -> names.create(MYDB)).isInstanceOf(AlreadyExistsException.class);
  }

  @Test
  void rowsOfCommitsAreNotRead_names70() {
    names.create(MYDB);
    addCommitRows(300); // more than a page of an answer holds
    wire.reset();

    assertThat(backend.find(MYDB).orElseThrow().commit()).isEqualTo(Ref.UNBORN);
    assertThat(wire.requests()).containsExactly("Query");
  }

  private void addCommitRows(int count) {
    List<WriteRequest> puts = new ArrayList<>();
    for (int t = 1; t <= count; t++) {
      Map<String, AttributeValue> row =
          new HashMap<>(ItemCodec.key("mydb:main", "commit#%020d".formatted(t)));
      row.put("commit_cid", string("c" + t));
      row.put("filler", string("x".repeat(5_000)));
      puts.add(WriteRequest.builder().putRequest(p -> p.item(row)).build());
      if (puts.size() == 25 || t == count) {
        List<WriteRequest> batch = List.copyOf(puts);
        table.client().batchWriteItem(w -> w.requestItems(Map.of(table.name(), batch)));
        puts.clear();
      }
    }
  }
}
