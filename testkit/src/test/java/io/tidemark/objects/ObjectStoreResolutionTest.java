// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static io.tidemark.testkit.objects.Operation.DELETE;
import static io.tidemark.testkit.objects.Operation.GET;
import static io.tidemark.testkit.objects.Operation.HEAD;
import static io.tidemark.testkit.objects.Operation.PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.DeleteResult.Deleted;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.testkit.objects.BackendFault;
import io.tidemark.testkit.objects.CountingBackend;
import io.tidemark.testkit.objects.FakeTime;
import io.tidemark.testkit.objects.FaultyBackend;
import io.tidemark.testkit.objects.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ambiguous write is resolved, never guessed: each way it can go, with what it costs. */
class ObjectStoreResolutionTest {

  private final MemoryBackend memory = new MemoryBackend();
  private final AppliedWrites truth = new AppliedWrites(memory);
  private final FaultyBackend faulty = new FaultyBackend(truth);
  private final CountingBackend counting = new CountingBackend(faulty);
  private final FakeTime time = new FakeTime();
  private final ObjectStore store = new ObjectStore(counting, time.retry());

  @AfterEach
  void everyFaultOfTheScriptHappened() {
    assertThat(faulty.pendingFaults()).isZero();
  }

  /** Writes below the faults and the counting, as another client would. */
  private ETag another(String key, String text) {
    return ((Written) memory.put(key, Body.of(text), Condition.none(), "another's")).etag();
  }

  private WriteResult create(String text) {
    return store.put("key", Body.of(text), Condition.ifAbsent());
  }

  private WriteResult replace(ETag expected, String text) {
    return store.put("key", Body.of(text), Condition.ifMatch(expected));
  }

  private Written current() {
    return new Written(memory.head("key").orElseThrow().etag());
  }

  private void assertRequests(Map<Operation, Long> expected) {
    assertThat(counting.requests().byOperation()).isEqualTo(expected);
  }

  @Nested
  class WithoutDoubt {

    @Test
    void aWriteCostsOneRequest() {
      assertThat(create("mine")).isEqualTo(current());
      assertRequests(Map.of(PUT, 1L));
    }

    @Test
    void aLostRaceCostsNoReadBack() {
      ETag theirs = another("key", "theirs");
      assertThat(create("mine")).isEqualTo(new PreconditionFailed(Optional.of(theirs)));
      assertThat(replace(new ETag("stale"), "mine"))
          .isEqualTo(new PreconditionFailed(Optional.of(theirs)));
      assertRequests(Map.of(PUT, 2L));
    }

    @Test
    void aRefusalAlthoughTheConditionHeldIsALostRace() {
      faulty.next(PUT, BackendFault.refuse());
      assertThat(create("mine")).isEqualTo(new PreconditionFailed(Optional.empty()));
      assertThat(truth.written()).isEmpty();
      assertRequests(Map.of(PUT, 1L));
    }

    @Test
    void aWriteThatIsTurnedAwayIsMadeAgain() {
      faulty.next(PUT, BackendFault.unavailable()).next(PUT, BackendFault.conflict());
      assertThat(create("mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 3L));
    }

    @Test
    void aWriteThatIsTurnedAwayTooLongWasNotApplied() {
      faulty.always(PUT, BackendFault.unavailable());
      assertThatThrownBy(() -> store.put("key", Body.of("mine"), Condition.ifAbsent()))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(truth.written()).isEmpty();
      assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void anUnconditionalWriteWhoseAnswerIsLostIsRecognised() {
      another("key", "theirs");
      faulty.next(PUT, BackendFault.loseAnswer());
      assertThat(store.put("key", Body.of("mine"), Condition.none())).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 1L, HEAD, 1L));
    }
  }

  @Nested
  class ALostCreate {

    @Test
    void thatTookPlaceIsRecognised() {
      faulty.next(PUT, BackendFault.loseAnswer());
      assertThat(create("mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 1L, HEAD, 1L));
    }

    @Test
    void thatDidNotTakePlaceIsMadeAgain() {
      faulty.next(PUT, BackendFault.loseRequest());
      assertThat(create("mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 2L, HEAD, 1L));
    }

    @Test
    void thatArrivesBeforeItIsReadBackIsRecognised() {
      faulty.next(PUT, BackendFault.arriveLate(1));
      assertThat(create("mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 1L, HEAD, 1L));
    }

    @Test
    void thatArrivesJustBeforeItIsMadeAgainIsRecognised() {
      faulty.next(PUT, BackendFault.arriveLate(2));
      assertThat(create("mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 2L, HEAD, 2L));
    }

    @Test
    void thatArrivesAfterItWasMadeAgainChangesNothing() {
      faulty.next(PUT, BackendFault.arriveLate(100));
      WriteResult result = create("mine");
      faulty.deliverLateWrites();
      assertThat(result).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
    }

    @Test
    void thatLosesItsAnswerAgainAndAgainIsRecognised() {
      faulty
          .next(PUT, BackendFault.loseRequest())
          .next(PUT, BackendFault.unavailable())
          .next(PUT, BackendFault.loseRequest())
          .next(PUT, BackendFault.loseAnswer());
      assertThat(create("mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 4L, HEAD, 3L));
    }

    @Test
    void thatFindsAnothersObjectIsUnknown() {
      faulty.next(PUT, BackendFault.loseRequest());
      ETag theirs = another("key", "theirs");
      assertThatThrownBy(() -> create("mine"))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("write to key in memory:")
          .hasMessageContaining("expected nothing, found version " + theirs);
      assertThat(truth.written()).isEmpty();
      assertRequests(Map.of(PUT, 1L, HEAD, 1L));
    }

    @Test
    void thatWasReplacedSinceIsUnknown() {
      faulty
          .next(PUT, BackendFault.loseAnswer())
          .next(HEAD, BackendFault.runBefore(() -> another("key", "theirs")));
      assertThatThrownBy(() -> create("mine"))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("expected nothing, found version " + current().etag());
      assertThat(truth.written()).containsExactly("mine");
    }
  }

  @Nested
  class ALostReplacement {

    @Test
    void thatTookPlaceIsRecognised() {
      ETag old = another("key", "old");
      faulty.next(PUT, BackendFault.loseAnswer());
      assertThat(replace(old, "mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 1L, HEAD, 1L));
    }

    @Test
    void thatDidNotTakePlaceIsMadeAgain() {
      ETag old = another("key", "old");
      faulty.next(PUT, BackendFault.loseRequest());
      assertThat(replace(old, "mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 2L, HEAD, 1L));
    }

    @Test
    void thatArrivesJustBeforeItIsMadeAgainIsRecognised() {
      ETag old = another("key", "old");
      faulty.next(PUT, BackendFault.arriveLate(2));
      assertThat(replace(old, "mine")).isEqualTo(current());
      assertThat(truth.written()).containsExactly("mine");
      assertRequests(Map.of(PUT, 2L, HEAD, 2L));
    }

    @Test
    void thatFindsAnotherVersionIsUnknown() {
      ETag old = another("key", "old");
      ETag theirs = another("key", "theirs");
      faulty.next(PUT, BackendFault.loseRequest());
      assertThatThrownBy(() -> replace(old, "mine"))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("write to key in memory:")
          .hasMessageContaining("expected version " + old + ", found version " + theirs);
    }

    @Test
    void thatFindsNothingIsUnknown() {
      ETag old = another("key", "old");
      memory.delete("key", Optional.empty());
      faulty.next(PUT, BackendFault.loseRequest());
      assertThatThrownBy(() -> replace(old, "mine"))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("expected version " + old + ", found nothing");
    }

    @Test
    void thatCannotBeReadBackIsUnknown() {
      ETag old = another("key", "old");
      faulty.next(PUT, BackendFault.loseAnswer());
      faulty.always(HEAD, BackendFault.unavailable());
      assertThatThrownBy(() -> store.put("key", Body.of("mine"), Condition.ifMatch(old)))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("write to key in memory:")
          .hasRootCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void thatIsTurnedAwayEverAfterIsUnknown() {
      ETag old = another("key", "old");
      faulty.next(PUT, BackendFault.loseRequest());
      faulty.always(PUT, BackendFault.unavailable());
      assertThatThrownBy(() -> store.put("key", Body.of("mine"), Condition.ifMatch(old)))
          .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void isRecognisedOverAStoreThatKeepsNoAttempts(@TempDir Path root) throws IOException {
      FaultyBackend losing = new FaultyBackend(DirectoryBackend.open(root, Durability.PAGE_CACHE));
      try (ObjectStore directory = new ObjectStore(losing, time.retry())) {
        losing.next(PUT, BackendFault.loseAnswer());
        WriteResult result = directory.put("key", Body.of("mine"), Condition.ifAbsent());
        assertThat(result).isEqualTo(new Written(directory.head("key").orElseThrow().etag()));
      }
    }
  }

  @Nested
  class ALostDelete {

    @Test
    void thatDidNotTakePlaceIsMadeAgain() {
      ETag old = another("key", "old");
      faulty.next(DELETE, BackendFault.loseRequest());
      assertThat(store.deleteIfMatch("key", old)).isEqualTo(Deleted.DELETED);
      assertThat(truth.deleted()).containsExactly(old);
      assertRequests(Map.of(DELETE, 2L, HEAD, 1L));
    }

    @Test
    void thatTookPlaceIsUnknownBecauseNothingIsLeftToTell() {
      ETag old = another("key", "old");
      faulty.next(DELETE, BackendFault.loseAnswer());
      assertThatThrownBy(() -> store.deleteIfMatch("key", old))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("delete of key in memory:")
          .hasMessageContaining("expected version " + old + ", found nothing");
      assertThat(truth.deleted()).containsExactly(old);
      assertRequests(Map.of(DELETE, 1L, HEAD, 1L));
    }

    @Test
    void thatArrivesJustBeforeItIsMadeAgainIsUnknown() {
      ETag old = another("key", "old");
      faulty.next(DELETE, BackendFault.arriveLate(2));
      assertThatThrownBy(() -> store.deleteIfMatch("key", old))
          .isInstanceOf(OutcomeUnknownException.class);
      assertThat(truth.deleted()).containsExactly(old);
    }

    @Test
    void thatFindsAnotherVersionIsUnknown() {
      ETag old = another("key", "old");
      ETag theirs = another("key", "theirs");
      faulty.next(DELETE, BackendFault.loseRequest());
      assertThatThrownBy(() -> store.deleteIfMatch("key", old))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("found version " + theirs);
      assertThat(truth.deleted()).isEmpty();
    }

    @Test
    void thatIsTurnedAwayTooLongWasNotApplied() {
      ETag old = another("key", "old");
      faulty.always(DELETE, BackendFault.unavailable());
      assertThatThrownBy(() -> store.deleteIfMatch("key", old))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(truth.deleted()).isEmpty();
    }

    @Test
    void withoutAConditionIsMadeAgain() {
      ETag old = another("key", "old");
      faulty
          .next(DELETE, BackendFault.loseAnswer())
          .next(DELETE, BackendFault.unavailable())
          .next(DELETE, BackendFault.loseRequest());
      store.delete("key");
      assertThat(truth.deleted()).containsExactly(old);
      assertRequests(Map.of(DELETE, 4L));
    }

    @Test
    void whichLostItsRaceCostsNoReadBack() {
      ETag theirs = another("key", "theirs");
      assertThat(store.deleteIfMatch("key", new ETag("stale")))
          .isEqualTo(new PreconditionFailed(Optional.of(theirs)));
      assertRequests(Map.of(DELETE, 1L));
    }
  }

  @Nested
  class ARead {

    @Test
    void thatBreaksOffIsMadeAgain() {
      another("key", "theirs");
      faulty.next(GET, BackendFault.breakOff(3)).next(GET, BackendFault.unavailable());
      assertThat(store.get("key").map(StoredObject::text)).contains("theirs");
      assertRequests(Map.of(GET, 3L));
    }

    @Test
    void intoAFileLeavesNoPartOfIt(@TempDir Path directory) {
      another("key", "theirs");
      faulty.next(GET, BackendFault.breakOff(3));
      Path file = directory.resolve("file");
      assertThat(store.download("key", file)).contains(current().etag());
      assertThat(file).hasContent("theirs");
      assertThat(directory).isDirectoryNotContaining(f -> !f.equals(file));
    }

    @Test
    void intoAFileThatNeverSucceedsLeavesNoFile(@TempDir Path directory) {
      another("key", "theirs");
      faulty.always(GET, BackendFault.unavailable());
      assertThatThrownBy(() -> store.download("key", directory.resolve("file")))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(directory).isEmptyDirectory();
    }

    @Test
    void asAStreamThatBreaksOffIsAnError() throws IOException {
      another("key", "theirs");
      faulty.next(GET, BackendFault.breakOff(3));
      try (ObjectStore.Download download = store.openStream("key").orElseThrow()) {
        assertThatThrownBy(() -> download.stream().readAllBytes()).isInstanceOf(IOException.class);
      }
    }

    @Test
    void intoADirectoryThatIsNotThereFailsAtOnce(@TempDir Path directory) {
      another("key", "theirs");
      assertThatThrownBy(() -> store.download("key", directory.resolve("no/such/file")))
          .hasMessageContaining("no/such/file")
          .isNotInstanceOf(StoreUnavailableException.class);
      assertRequests(Map.of(GET, 1L));
    }
  }
}
