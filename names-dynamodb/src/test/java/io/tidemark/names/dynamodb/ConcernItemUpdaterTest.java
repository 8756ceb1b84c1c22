// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.advance;
import static io.tidemark.names.dynamodb.Samples.at;
import static io.tidemark.names.dynamodb.Samples.head;
import static io.tidemark.names.dynamodb.Samples.push;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.testkit.servers.DynamoDbServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pushes and advances: one request each, whether they move anything or not. */
class ConcernItemUpdaterTest extends DynamoDbTestBase {

  ConcernItemUpdaterTest(DynamoDbServer server) {
    super(server);
  }

  @Test
  void requestsAreToldByOperationAndResult() {
    List<String> told = new ArrayList<>();
    try (NameService all =
        new NameService(table.anotherBackend(), NameOptions.standard().withoutNotifications())) {
      NameBackend observed = all.backend();
      Runnable stop =
          observed
              .store()
              .observe((operation, result, nanos) -> told.add(operation + " " + result));
      all.create(MYDB);
      NameRecord made = observed.find(MYDB).orElseThrow();
      observed.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1)));
      observed.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c2", 2)));
      assertThat(observed.get(Address.parse("none"), Concern.HEAD)).isEmpty();
      assertThat(observed.create(made)).isFalse();
      stop.run();
      assertThat(observed.find(MYDB)).isPresent();
    }
    assertThat(told)
        .containsSubsequence(
            "TransactWriteItems OK",
            "Query OK",
            "UpdateItem OK",
            "UpdateItem LOST",
            "GetItem ABSENT",
            "TransactWriteItems LOST");
  }

  @Test
  void aPushIsOneRequest() {
    names.create(MYDB);
    wire.reset();

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isEqualTo(new Applied(head("c1", 1)));
    assertThat(wire.requests()).containsExactly("UpdateItem");
    assertThat(backend.get(MYDB, Concern.HEAD)).contains(head("c1", 1));
  }

  @Test
  void aConflictIsOneRequestAndSaysWhatIsThere() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c1", 1));
    wire.reset();

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c2", 2))))
        .isEqualTo(new Refused(head("c1", 1)));
    assertThat(backend.change(MYDB, push(Concern.HEAD, head("other", 1), head("c2", 2))))
        .isEqualTo(new Refused(head("c1", 1)));
    assertThat(wire.requests()).containsExactly("UpdateItem", "UpdateItem");
  }

  @Test
  void unbornIsNotExpectedByWhoeverExpectsSomething() {
    names.create(MYDB);

    assertThat(backend.change(MYDB, push(Concern.HEAD, head("c41", 41), head("c42", 42))))
        .isEqualTo(new Refused(ConcernValue.UNBORN));
    ConcernValue emptyAtOne = new ConcernValue(1, Optional.empty());
    assertThat(backend.change(MYDB, push(Concern.HEAD, emptyAtOne, head("c42", 42))))
        .isEqualTo(new Refused(ConcernValue.UNBORN));
  }

  @Test
  void aPushThatIsNotForwardIsRefusedWhateverIsThere() {
    names.create(MYDB);
    names.ledgers().publishCommit(MYDB, Ref.of("c5", 5));

    assertThat(backend.change(MYDB, push(Concern.HEAD, head("c5", 5), head("c4", 4))))
        .isEqualTo(new Refused(head("c5", 5)));
    assertThat(backend.change(MYDB, push(Concern.HEAD, head("c5", 5), head("other", 5))))
        .isEqualTo(new Refused(head("c5", 5)));
    assertThat(backend.get(MYDB, Concern.HEAD)).contains(head("c5", 5));
  }

  @Test
  void anAdvanceIsOneRequestWhetherItMovesOrNot() {
    names.create(MYDB);
    wire.reset();

    assertThat(backend.change(MYDB, advance(head("c5", 5)))).isEqualTo(new Applied(head("c5", 5)));
    assertThat(backend.change(MYDB, advance(head("c3", 3)))).isEqualTo(new Refused(head("c5", 5)));
    assertThat(backend.change(MYDB, advance(head("x", 5)))).isEqualTo(new Refused(head("c5", 5)));
    assertThat(wire.requests()).containsExactly("UpdateItem", "UpdateItem", "UpdateItem");
  }

  @Test
  void aChangeOfWhatIsntThereCreatesNothing() {
    assertThat(backend.change(MYDB, advance(head("c1", 1)))).isEqualTo(NameBackend.Missing.MISSING);
    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c", 1))))
        .isEqualTo(NameBackend.Missing.MISSING);
    assertThat(table.rows("mydb:main")).isEmpty();
  }

  @Test
  void anItemThatGotLostIsBroughtBackByTheNextChange_names69() {
    names.create(MYDB);
    table.delete("mydb:main", List.of("index"));

    assertThat(backend.get(MYDB, Concern.INDEX)).contains(ConcernValue.UNBORN);
    assertThat(names.ledgers().publishIndex(MYDB, Ref.of("i1", 5)).updated()).isTrue();
    assertThat(backend.find(MYDB).orElseThrow().indexed()).isEqualTo(Ref.of("i1", 5));
    assertThat(table.rows("mydb:main")).hasSize(5);
  }

  @Test
  void anIndexAtTheSameTIsToldByItsRevision() {
    names.create(MYDB);
    names.ledgers().publishIndex(MYDB, Ref.of("i1", 5));
    names.ledgers().publishIndexAllowEqual(MYDB, Ref.of("i2", 5));

    NameRecord record = backend.find(MYDB).orElseThrow();
    assertThat(record.indexed()).isEqualTo(Ref.of("i2", 5));
    assertThat(record.meta().indexRev()).isEqualTo(2);
  }

  @Test
  void aClearedConfigIsNotUnborn() {
    names.create(MYDB);
    ConcernValue first = ConcernValue.of(1, Payload.parse("{\"default_context_id\":\"x1\"}"));
    ConcernValue cleared = new ConcernValue(2, Optional.empty());

    assertThat(names.push(MYDB, Concern.CONFIG, Optional.of(ConcernValue.UNBORN), first).updated())
        .isTrue();
    assertThat(names.push(MYDB, Concern.CONFIG, Optional.of(first), cleared).updated()).isTrue();
    assertThat(names.get(MYDB, Concern.CONFIG)).contains(cleared);
    assertThat(names.push(MYDB, Concern.CONFIG, Optional.of(cleared), at(3, "{}")).updated())
        .isTrue();
  }
}
