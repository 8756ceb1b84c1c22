// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.client.HttpNameBackend;
import io.tidemark.client.ServerConnection;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameBackend.Refused;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.server.RunningServer;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.testkit.Seed;
import io.tidemark.testkit.names.LinearizabilityChecker;
import io.tidemark.testkit.names.OperationHistory;
import io.tidemark.testkit.names.RandomNamesWorkload;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests and answers that get lost between a client and its server. */
final class LostResponsesTest {

  private static final Address MYDB = Address.parse("mydb");

  private static ReplaceableBackend store;
  private static NameService names;
  private static RunningServer server;

  /** The same names, and no memory of what was asked before: a server that was restarted. */
  private static RunningServer restarted;

  private LossyProxy wire;
  private NameBackend backend;

  @BeforeAll
  static void start() {
    store = new ReplaceableBackend(new MemoryNameBackend());
    names = new NameService(store, NameOptions.standard().withoutNotifications());
    server = new RunningServer(ServerResources.of(names));
    restarted = new RunningServer(ServerResources.of(names));
  }

  @AfterAll
  static void stop() {
    server.close();
    restarted.close();
    names.close();
  }

  @BeforeEach
  void connect() throws IOException {
    store.become(new MemoryNameBackend());
    names.create(MYDB);
    wire = new LossyProxy(server.server().address());
    backend = new HttpNameBackend(ServerConnection.open(wire.address().toString()));
  }

  @AfterEach
  void disconnect() throws IOException {
    wire.close();
  }

  private static ConcernValue head(String id, long t) {
    return ConcernValue.of(t, Payload.build(json -> json.put("id", id).put("t", t)));
  }

  private static ConcernValue index(String id) {
    return ConcernValue.of(5, Payload.build(json -> json.putObject("default").put("id", id)));
  }

  private static ConcernChange first() {
    return new ConcernChange.Push(Concern.HEAD, ConcernValue.UNBORN, head("c1", 1));
  }

  @Test
  void aPushWhoseAnswerIsLostIsRememberedByTheServer() {
    wire.loseAnswers(1);

    assertThat(backend.change(MYDB, first())).isEqualTo(new Applied(head("c1", 1)));
    assertThat(store.get(MYDB, Concern.HEAD)).contains(head("c1", 1));
  }

  @Test
  void itIsAlsoWhenOthersHaveMovedOnSince() {
    wire.loseAnswers(1);
    wire.afterLoss(
        () ->
            store.change(
                MYDB, new ConcernChange.Push(Concern.HEAD, head("c1", 1), head("other", 2))));

    assertThat(backend.change(MYDB, first())).isEqualTo(new Applied(head("c1", 1)));
    assertThat(store.get(MYDB, Concern.HEAD)).contains(head("other", 2));
  }

  @Test
  void aPushThatIsLostItselfIsSentAgain() {
    wire.loseRequests(2);

    assertThat(backend.change(MYDB, first())).isEqualTo(new Applied(head("c1", 1)));
    assertThat(store.get(MYDB, Concern.HEAD)).contains(head("c1", 1));
  }

  @Test
  void aRefusalThatIsLostIsARefusal() {
    store.change(MYDB, new ConcernChange.Push(Concern.HEAD, ConcernValue.UNBORN, head("other", 1)));
    wire.loseAnswers(1);

    assertThat(backend.change(MYDB, first())).isEqualTo(new Refused(head("other", 1)));
  }

  @Test
  void whatARestartedServerDoesNotRememberIsUnknown() {
    wire.loseAnswers(1);
    wire.afterLoss(() -> wire.leadTo(restarted.server().address()));

    assertThatThrownBy(() -> backend.change(MYDB, first()))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(store.get(MYDB, Concern.HEAD)).contains(head("c1", 1));
  }

  @Test
  void whatTheStateShowsNotToHaveBeenDoneIsDoneByARestartedServer() {
    wire.loseRequests(1);
    wire.afterLoss(() -> wire.leadTo(restarted.server().address()));

    assertThat(backend.change(MYDB, first())).isEqualTo(new Applied(head("c1", 1)));
    assertThat(store.get(MYDB, Concern.HEAD)).contains(head("c1", 1));
  }

  @Test
  void anIndexIsNeverPublishedTwiceAtTheSameT() {
    store.change(MYDB, new ConcernChange.Push(Concern.INDEX, ConcernValue.UNBORN, index("a")));
    wire.loseAnswers(1);
    wire.afterLoss(
        () -> {
          store.change(MYDB, new ConcernChange.Push(Concern.INDEX, index("b"), index("a")));
          wire.leadTo(restarted.server().address());
        });

    ConcernChange push = new ConcernChange.Push(Concern.INDEX, index("a"), index("b"));
    assertThatThrownBy(() -> backend.change(MYDB, push))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(store.get(MYDB, Concern.INDEX)).contains(index("a"));
  }

  @Test
  void lostAnswersOfCreateReplaceAndRemoveAreResolved() {
    NameService remote = new NameService(backend, NameOptions.standard().withoutNotifications());
    Address other = Address.parse("other");
    wire.loseAnswers(1);
    remote.create(other);
    wire.loseAnswers(1);
    assertThat(remote.retract(other).meta().retracted()).isTrue();
    wire.loseAnswers(2); // of the look before, too
    assertThat(backend.edit(other, seen -> EditDecision.remove())).isPresent();
    assertThat(store.find(other)).isEmpty();
  }

  @Test
  void whateverIsLostEveryRegisterStaysLinearizable() throws Exception {
    Seed seed = Seed.of("LostAnswersTest");
    wire.loseAtRandom(seed.random(), 15);
    RandomNamesWorkload random =
        new RandomNamesWorkload(
            store, List.of(backend), seed, 6, Boolean.getBoolean("soak") ? 20_000 : 1_500);

    OperationHistory operationHistory = random.run();

    assertThat(LinearizabilityChecker.check(operationHistory, RandomNamesWorkload::initial))
        .as("%s", seed)
        .isEmpty();
  }
}
