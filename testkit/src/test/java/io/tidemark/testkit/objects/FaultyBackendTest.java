// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend.Content;
import io.tidemark.objects.ObjectBackend.Head;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Each fault does what it says, to the request it is meant for, once. */
class FaultyBackendTest {
  private final MemoryBackend memory = new MemoryBackend();
  private final FaultyBackend faulty = new FaultyBackend(memory);

  private WriteResult put(String key, String text, Condition condition) {
    return faulty.put(key, Body.of(text), condition, "attempt of " + text);
  }

  private Optional<String> attempt(String key) {
    return memory.head(key).flatMap(Head::attempt);
  }

  private ETag etag(String key) {
    return memory.head(key).orElseThrow().etag();
  }

  @Test
  void withoutFaultsEverythingPasses() {
    WriteResult result = put("key", "1", Condition.ifAbsent());
    assertThat(result).isEqualTo(new Written(etag("key")));
    assertThat(faulty.head("key")).isEqualTo(memory.head("key"));
    assertThat(faulty.list(Listing.all(""))).hasSize(1);
    assertThat(faulty.delete("key", Optional.empty()).deleted()).isTrue();
    assertThat(memory.head("key")).isEmpty();
  }

  @Test
  void aLostAnswerIsAppliedAndALostRequestIsNot() {
    faulty
        .next(Operation.PUT, BackendFault.loseAnswer())
        .next(Operation.PUT, BackendFault.loseRequest());
    assertThatThrownBy(() -> put("key", "1", Condition.none()))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("PUT key");
    assertThat(attempt("key")).contains("attempt of 1");
    assertThatThrownBy(() -> put("key", "2", Condition.none()))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(attempt("key")).contains("attempt of 1");
  }

  @Test
  void aReadWhoseAnswerIsLostIsOnlyUnavailable() {
    faulty.next(Operation.HEAD, BackendFault.loseAnswer());
    assertThatThrownBy(() -> faulty.head("key")).isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void aLateWriteArrivesJustBeforeTheRequestItSays() {
    faulty.next(Operation.PUT, BackendFault.arriveLate(2));
    byte[] bytes = "1".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> faulty.put("key", Body.of(bytes), Condition.none(), "late"))
        .isInstanceOf(OutcomeUnknownException.class);
    bytes[0] = '2'; // after the call has returned the bytes are the caller's again
    assertThat(faulty.head("key")).isEmpty();
    assertThat(faulty.head("key").flatMap(Head::attempt)).contains("late");
    assertThat(text("key")).isEqualTo("1");
  }

  @Test
  void aLateWriteArrivesOnDemandIfItsConditionStillHolds() {
    faulty.next(Operation.PUT, BackendFault.arriveLate(100));
    assertThatThrownBy(() -> put("key", "1", Condition.ifAbsent()))
        .isInstanceOf(OutcomeUnknownException.class);
    put("key", "2", Condition.ifAbsent());
    faulty.deliverLateWrites();
    assertThat(text("key")).isEqualTo("2");
  }

  @Test
  void whatIsTurnedAwayIsNotApplied() {
    for (BackendFault backendFault : List.of(BackendFault.unavailable(), BackendFault.conflict())) {
      faulty.next(Operation.PUT, backendFault);
      assertThatThrownBy(() -> put("key", "1", Condition.none()))
          .isInstanceOf(StoreUnavailableException.class);
    }
    assertThat(memory.head("key")).isEmpty();
  }

  @Test
  void aRefusalIsNotAppliedAndARefusedSuccessIs() {
    faulty
        .next(Operation.PUT, BackendFault.refuse())
        .next(Operation.PUT, BackendFault.refuseOwnSuccess());
    assertThat(put("key", "1", Condition.ifAbsent()))
        .isEqualTo(new PreconditionFailed(Optional.empty()));
    assertThat(memory.head("key")).isEmpty();
    assertThat(put("key", "2", Condition.ifAbsent()))
        .isEqualTo(new PreconditionFailed(Optional.of(etag("key"))));
    assertThat(attempt("key")).contains("attempt of 2");
  }

  @Test
  void aBodyBreaksOffAfterSoManyBytes() throws IOException {
    put("key", "12345", Condition.none());
    faulty.next(Operation.GET, BackendFault.breakOff(3));
    try (Content content = content("key")) {
      assertThat(content.size()).isEqualTo(5);
      assertThat(content.stream().readNBytes(3)).containsExactly('1', '2', '3');
      assertThatThrownBy(() -> content.stream().read()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aListingBreaksOffAfterSoManyEntries() {
    List.of("a", "b", "c").forEach(key -> put(key, "1", Condition.none()));
    faulty.next(Operation.LIST, BackendFault.breakOff(2));
    List<String> seen = new ArrayList<>();
    assertThatThrownBy(() -> faulty.list(Listing.all("")).forEach(e -> seen.add(e.name())))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(seen).containsExactly("a", "b");
  }

  @Test
  void aFaultWaitsForTheRequestItIsMeantFor() {
    faulty.next(Operation.PUT, "b", BackendFault.unavailable());
    assertThat(put("a", "1", Condition.none()).written()).isTrue();
    assertThat(faulty.head("b")).isEmpty();
    assertThat(faulty.pendingFaults()).isEqualTo(1);
    assertThatThrownBy(() -> put("b", "1", Condition.none()))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(put("b", "1", Condition.none()).written()).isTrue();
    assertThat(faulty.pendingFaults()).isZero();
  }

  @Test
  void aStandingFaultStaysUntilItIsHealed() {
    faulty.always(Operation.HEAD, BackendFault.unavailable());
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> faulty.head("key")).isInstanceOf(StoreUnavailableException.class);
    }
    assertThat(faulty.clearFaults().head("key")).isEmpty();
  }

  @Test
  void aHeldRequestIsCarriedOutWhenTheGateOpens() {
    RequestLatch requestLatch = new RequestLatch();
    faulty.next(Operation.PUT, BackendFault.hold(requestLatch));
    CompletableFuture<WriteResult> held =
        CompletableFuture.supplyAsync(() -> put("key", "1", Condition.ifAbsent()));
    requestLatch.awaitArrival();
    assertThat(memory.head("key")).isEmpty();
    put("key", "2", Condition.ifAbsent());
    requestLatch.open();
    assertThat(held.join()).isEqualTo(new PreconditionFailed(Optional.of(etag("key"))));
  }

  @Test
  void aHeldAnswerComesWhenTheGateOpensAndMayBeLostThen() {
    RequestLatch requestLatch = new RequestLatch();
    faulty
        .next(Operation.PUT, BackendFault.holdAnswer(requestLatch))
        .next(Operation.PUT, BackendFault.loseAnswer());
    CompletableFuture<WriteResult> held =
        CompletableFuture.supplyAsync(() -> put("key", "1", Condition.ifAbsent()));
    requestLatch.awaitArrival();
    assertThat(attempt("key")).contains("attempt of 1");
    assertThat(held).isNotDone();
    requestLatch.open();
    assertThatThrownBy(held::join).hasCauseInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  void randomFaultsFollowFromTheSeed() {
    assertThat(faultsOf(1)).isEqualTo(faultsOf(1)).isNotEqualTo(faultsOf(2));
    assertThat(faultsOf(1)).contains("OutcomeUnknownException", "StoreUnavailableException");
    assertThat(faultsOf(1)).contains("Written", "PreconditionFailed");
  }

  private static List<String> faultsOf(long seed) {
    FaultyBackend random =
        new FaultyBackend(
            new MemoryBackend(), new SplittableRandom(seed), FaultMix.everything(0.5));
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      try {
        WriteResult result = random.put("key/" + i, Body.of("1"), Condition.ifAbsent(), "x");
        outcomes.add(result.getClass().getSimpleName());
      } catch (OutcomeUnknownException | StoreUnavailableException e) {
        outcomes.add(e.getClass().getSimpleName());
      }
    }
    return outcomes;
  }

  private String text(String key) {
    try (Content content = content(key)) {
      return new String(content.stream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Content content(String key) {
    return faulty.get(key, Optional.empty()) instanceof ReadResult.Found<Content> found
        ? found.content()
        : new Content(0, new ByteArrayInputStream(new byte[0]));
  }
}
