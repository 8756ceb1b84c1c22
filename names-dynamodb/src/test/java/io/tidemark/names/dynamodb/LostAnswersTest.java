// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static io.tidemark.names.dynamodb.Samples.MYDB;
import static io.tidemark.names.dynamodb.Samples.at;
import static io.tidemark.names.dynamodb.Samples.head;
import static io.tidemark.names.dynamodb.Samples.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.testkit.servers.DynamoDbServer;
import org.junit.jupiter.api.Test;

/** A write whose answer got lost. */
class LostAnswersTest extends DynamoDbTestBase {

  LostAnswersTest(DynamoDbServer server) {
    super(server);
  }

  @Test
  void aPushWhoseAnswerIsLostIsFoundInTheItem() {
    names.create(MYDB);
    wire.reset();
    wire.loseAnswers(1);

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isEqualTo(new Applied(head("c1", 1)));
    assertThat(wire.requests()).containsExactly("UpdateItem", "UpdateItem");
  }

  @Test
  void aPushThatIsLostItselfIsSentAgain() {
    names.create(MYDB);
    wire.loseRequests(2);

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isEqualTo(new Applied(head("c1", 1)));
    assertThat(backend.get(MYDB, Concern.HEAD)).contains(head("c1", 1));
  }

  @Test
  void aPushWhoseTraceIsGoneEndsUnknown() {
    names.create(MYDB);
    wire.loseAnswers(1);
    wire.afterLoss(() -> backend.change(MYDB, push(Concern.HEAD, head("c1", 1), head("c2", 2))));

    assertThatThrownBy(
            () -> backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(backend.get(MYDB, Concern.HEAD)).contains(head("c2", 2));
  }

  @Test
  void aPushThatWasAppliedBeforeARetractionIsStillFound() {
    names.create(MYDB);
    wire.loseAnswers(1);
    wire.afterLoss(() -> names.retract(MYDB));

    assertThat(backend.change(MYDB, push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1))))
        .isEqualTo(new Applied(head("c1", 1)));
  }

  @Test
  void anIndexIsNeverPublishedTwiceAtTheSameT() {
    names.create(MYDB);
    ConcernValue first = at(5, "{\"default\":{\"id\":\"a\"}}");
    ConcernValue second = at(5, "{\"default\":{\"id\":\"b\"}}");
    backend.change(MYDB, push(Concern.INDEX, ConcernValue.UNBORN, first));
    wire.loseAnswers(1);
    wire.afterLoss(() -> backend.change(MYDB, push(Concern.INDEX, second, first)));

    assertThatThrownBy(() -> backend.change(MYDB, push(Concern.INDEX, first, second)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(backend.get(MYDB, Concern.INDEX)).contains(first);

    wire.afterLoss(() -> {});
    wire.loseAnswers(1);
    assertThat(backend.change(MYDB, push(Concern.INDEX, first, second)))
        .isEqualTo(new Applied(second));
  }

  @Test
  void aLostAnswerOfCreateReplaceAndRemoveIsResolved() {
    wire.loseAnswers(1);
    names.create(MYDB);
    wire.loseAnswers(1);
    names.retract(MYDB);
    wire.loseAnswers(1);
    assertThat(backend.edit(MYDB, seen -> EditDecision.remove())).isPresent();
    assertThat(table.rows("mydb:main")).isEmpty();
  }
}
