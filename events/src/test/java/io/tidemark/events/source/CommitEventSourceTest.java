// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.InvalidNameException;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.Session;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.objects.internal.json.CanonicalJson;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each commit of a ledger becomes an event, at least once and to a handler once. */
class CommitEventSourceTest {

  private static final String POSITION = OutboxFixture.BUS + "sources/sales/commits.shop.json";

  private OutboxFixture outboxFixture = OutboxFixture.on(new MemoryBackend());

  @AfterEach
  void close() throws Exception {
    outboxFixture.close();
  }

  private static CommitEventSource commits(OutboxProcess process, StartPosition startPosition) {
    return new CommitEventSource(
        process.bus(), process.sales(), process.ledger(), "shop", startPosition);
  }

  private static void commit(OutboxProcess process, long age, Map<String, String> metadata) {
    try (Session session = process.session()) {
      assertThat(session.ensure(new Customer("c1", age)).commit(metadata)).isPresent();
    }
  }

  private static void commit(OutboxProcess process, int... ages) {
    for (int age : ages) {
      commit(process, age, Map.of());
    }
  }

  private static List<Long> ids(List<Event> events) {
    return events.stream().map(event -> event.payloadTree().path("commit_id").asLong()).toList();
  }

  @Test
  void aCommitIsToldWithWhatItTouchedAndWhatWasSaidOfIt() {
    OutboxProcess process = outboxFixture.process();
    commit(process, 1, Map.of("why", "birthday"));

    assertThat(commits(process, StartPosition.OLDEST).poll()).isEqualTo(1);
    Event event = process.deliveries("h").get(0);
    assertThat(event.type()).isEqualTo("ledger.committed");
    JsonNode payload = event.payloadTree();
    assertThat(payload.path("ledger").asText()).isEqualTo("shop");
    assertThat(payload.path("commit_id").asLong()).isEqualTo(1);
    assertThat(payload.path("operations").asLong()).isEqualTo(1);
    assertThat(payload.path("types"))
        .isEqualTo(CanonicalJson.object().putArray("x").add("entity:Customer"));
    assertThat(payload.path("metadata").path("why").asText()).isEqualTo("birthday");
    assertThat(payload.path("created_at").asText()).startsWith("20");
  }

  @Test
  void aFollowerGoesOnWhereTheLastOneWas() {
    OutboxProcess process = outboxFixture.process();
    commit(process, 1, 2);
    assertThat(commits(process, StartPosition.OLDEST).poll()).isEqualTo(2);
    commit(process, 3);

    OutboxProcess another = outboxFixture.process();
    CommitEventSource follower = commits(another, StartPosition.NEWEST);
    assertThat(follower.poll()).isEqualTo(1);
    assertThat(follower.poll()).isZero();
    assertThat(ids(another.deliveries("h"))).containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  @Test
  void whoBeginsWithTheNewestIsToldOfNothingBefore() {
    OutboxProcess process = outboxFixture.process();
    commit(process, 1, 2);
    assertThat(commits(process, StartPosition.NEWEST).poll()).isZero();
    commit(process, 3);

    assertThat(commits(outboxFixture.process(), StartPosition.NEWEST).poll()).isEqualTo(1);
    assertThat(ids(outboxFixture.process().deliveries("h"))).containsExactly(3L);
  }

  @Test
  void whoBeginsWithAnEmptyLedgerIsToldOfAllThatComes() {
    OutboxProcess process = outboxFixture.process();
    assertThat(commits(process, StartPosition.NEWEST).poll()).isZero();
    commit(process, 1);

    assertThat(commits(outboxFixture.process(), StartPosition.NEWEST).poll()).isEqualTo(1);
  }

  @Test
  void followersAtOnceMakeOneEventOfACommit() {
    OutboxProcess process = outboxFixture.process();
    List<OutboxProcess> processes =
        List.of(outboxFixture.process(), outboxFixture.process(), outboxFixture.process());
    List<CommitEventSource> followers =
        processes.stream().map(each -> commits(each, StartPosition.OLDEST)).toList();
    for (int round = 0; round < 5; round++) {
      commit(process, 2 * round, 2 * round + 1);
      int told = followers.parallelStream().mapToInt(CommitEventSource::poll).sum();
      assertThat(told).isGreaterThanOrEqualTo(2);
    }

    assertThat(ids(process.deliveries("h")))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 10).mapToObj(Long::valueOf).toList());
    assertThat(process.keys(OutboxFixture.BUS + "events/sales/")).hasSize(10);
  }

  @Test
  void whatWasToldAndNotWrittenDownIsToldAgainAsTheSame() {
    FaultyBackend faulty = new FaultyBackend(outboxFixture.bytes());
    OutboxProcess process = outboxFixture.process(faulty);
    commit(process, 1, 2);
    CommitEventSource follower = commits(process, StartPosition.OLDEST);
    faulty.next(
        Operation.PUT,
        POSITION,
        BackendFault.runBefore(
            () -> {
              throw new StoreFailureException("injected");
            }));
    assertThatThrownBy(follower::poll).isInstanceOf(StoreFailureException.class);
    assertThat(ids(process.deliveries("h"))).containsExactlyInAnyOrder(1L, 2L);

    assertThat(follower.poll()).isEqualTo(2);
    assertThat(process.deliveries("h")).isEmpty();
    assertThat(follower.poll()).isZero();
  }

  @Test
  void aLedgerThatWasMadeAnewIsToldFromItsBeginning() {
    OutboxProcess process = outboxFixture.process();
    commit(process, 1, 2);
    commits(process, StartPosition.OLDEST).poll();
    process.ledger().close();
    LedgerInitializer init = new LedgerInitializer(process.store(), OutboxFixture.LEDGER);
    init.reinitialize(init.plan().forceToken());

    OutboxProcess next = outboxFixture.process();
    commit(next, 1);
    assertThat(commits(next, StartPosition.NEWEST).poll()).isEqualTo(1);
    assertThat(ids(next.deliveries("h"))).containsExactlyInAnyOrder(1L, 2L, 1L);
  }

  @Test
  void whileNothingHappensItCostsOneRequest() {
    CountingBackend counting = new CountingBackend(outboxFixture.bytes());
    OutboxProcess process = outboxFixture.process(counting);
    commit(process, 1, 2, 3);
    process.ledger().flush();
    CommitEventSource follower = commits(process, StartPosition.OLDEST);
    follower.poll();

    assertThat(counting.during(follower::poll).total()).isEqualTo(1);
  }

  @Test
  void whatIsSaidOfACommitIsLeftOutWhenItIsTooMuch() {
    OutboxProcess process = outboxFixture.process();
    commit(process, 1, Map.of("long", "x".repeat(300_000)));

    assertThat(commits(process, StartPosition.OLDEST).poll()).isEqualTo(1);
    JsonNode payload = process.deliveries("h").get(0).payloadTree();
    assertThat(payload.has("metadata")).isFalse();
    assertThat(payload.path("metadata_left_out").asBoolean()).isTrue();
  }

  @Test
  void aSourceHasAName() {
    OutboxProcess process = outboxFixture.process();
    assertThatThrownBy(
            () ->
                new CommitEventSource(
                    process.bus(),
                    process.sales(),
                    process.ledger(),
                    "x".repeat(600),
                    StartPosition.OLDEST))
        .isInstanceOf(InvalidNameException.class);
    CommitEventSource odd =
        new CommitEventSource(
            process.bus(),
            process.sales(),
            process.ledger(),
            "../a b/é:main",
            StartPosition.NEWEST);
    assertThat(odd.poll()).isZero();
    assertThat(process.keys(OutboxFixture.BUS + "sources/sales/"))
        .containsExactly("commits...%2Fa+b%2F%C3%A9%3Amain.json");
  }

  @Test
  void aDirectoryIsFollowedAcrossProcesses(@TempDir Path directory) throws Exception {
    outboxFixture.close();
    ObjectBackend backend = DirectoryBackend.open(directory, Durability.PAGE_CACHE);
    outboxFixture = OutboxFixture.on(backend);
    commit(outboxFixture.process(), 1, 2);
    assertThat(commits(outboxFixture.process(), StartPosition.OLDEST).poll()).isEqualTo(2);
    commit(outboxFixture.process(), 3);

    assertThat(commits(outboxFixture.process(), StartPosition.OLDEST).poll()).isEqualTo(1);
    assertThat(ids(outboxFixture.process().deliveries("h"))).containsExactly(1L, 2L, 3L);
  }
}
