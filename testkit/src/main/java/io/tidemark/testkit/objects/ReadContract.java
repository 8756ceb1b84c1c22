// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectBackend.Head;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading: whole objects with the ETag that belongs to them, and absence as a value. */
interface ReadContract {

  StoreFixture fixture();

  @Test
  default void anAbsentObjectIsAValue(@TempDir Path directory) {
    ObjectStore store = fixture().store();
    assertThat(store.get("absent")).isEmpty();
    assertThat(store.head("absent")).isEmpty();
    assertThat(store.openStream("absent")).isEmpty();
    assertThat(store.download("absent", directory.resolve("file"))).isEmpty();
    assertThat(store.getIfChanged("absent", new ETag("0")))
        .isEqualTo(new ReadResult.Absent<byte[]>());
  }

  @Test
  default void anObjectIsReadWithItsBytesAndItsVersion() {
    ETag etag = fixture().write("a/b", "text");
    StoredObject found = fixture().store().get("a/b").orElseThrow();
    assertThat(found.text()).isEqualTo("text");
    assertThat(found.etag()).isEqualTo(etag);
  }

  @Test
  default void aVersionThatIsKnownIsNotReadAgain() {
    ETag first = fixture().write("key", "first");
    assertThat(fixture().store().getIfChanged("key", first))
        .isEqualTo(new ReadResult.NotModified<byte[]>());
    ETag second = fixture().write("key", "second");
    ReadResult<byte[]> changed = fixture().store().getIfChanged("key", first);
    assertThat(changed)
        .isInstanceOfSatisfying(
            ReadResult.Found.class,
            found -> {
              assertThat(found.etag()).isEqualTo(second);
              assertThat((byte[]) found.content())
                  .isEqualTo("second".getBytes(StandardCharsets.UTF_8));
            });
    fixture().store().delete("key");
    assertThat(fixture().store().getIfChanged("key", second))
        .isEqualTo(new ReadResult.Absent<byte[]>());
  }

  @Test
  default void anObjectIsDescribedWithoutBeingRead() {
    ETag etag = fixture().write("key", "12345");
    ObjectInfo info = fixture().store().head("key").orElseThrow();
    assertThat(info.key()).isEqualTo("key");
    assertThat(info.etag()).isEqualTo(etag);
    assertThat(info.size()).isEqualTo(5);
    // Wide, for this is about the right unit and zone: clocks of servers differ.
    assertThat(info.lastModified())
        .isCloseTo(fixture().store().clock().instant(), within(10, ChronoUnit.MINUTES));
  }

  @Test
  default void theAttemptThatWroteAnObjectIsKeptOrNeverShown() {
    fixture().backend().put("key", Body.of("1"), Condition.none(), "attempt-1");
    Optional<String> first = fixture().backend().head("key").flatMap(Head::attempt);
    fixture().backend().put("key", Body.of("2"), Condition.none(), "attempt-2");
    Optional<String> second = fixture().backend().head("key").flatMap(Head::attempt);
    assertThat(first.isEmpty() || first.equals(Optional.of("attempt-1"))).isTrue();
    assertThat(second).isEqualTo(first.map(kept -> "attempt-2"));
  }

  @Test
  default void anObjectIsReadAsAStream() throws IOException {
    byte[] bytes = SelfCheckingBytes.of(7, 100_000);
    ETag etag = fixture().write("large", Body.of(bytes));
    try (ObjectStore.Download download = fixture().store().openStream("large").orElseThrow()) {
      assertThat(download.etag()).isEqualTo(etag);
      assertThat(download.size()).isEqualTo(bytes.length);
      assertThat(download.stream().readAllBytes()).isEqualTo(bytes);
    }
  }

  @Test
  default void aStreamKeepsToOneVersionWhileTheObjectIsReplaced() throws IOException {
    byte[] bytes = SelfCheckingBytes.of(1, 1_000_000);
    fixture().write("large", Body.of(bytes));
    try (ObjectStore.Download download = fixture().store().openStream("large").orElseThrow()) {
      byte[] start = download.stream().readNBytes(1000);
      fixture().write("large", Body.of(SelfCheckingBytes.of(2, 1_000_000)));
      assertThat(start).isEqualTo(SelfCheckingBytes.slice(bytes, 0, 1000));
      assertThat(restOrFailure(download))
          .satisfiesAnyOf(
              rest -> assertThat(rest).contains(SelfCheckingBytes.slice(bytes, 1000, bytes.length)),
              rest -> assertThat(rest).isEmpty());
    }
  }

  private static Optional<byte[]> restOrFailure(ObjectStore.Download download) {
    try {
      return Optional.of(download.stream().readAllBytes());
    } catch (IOException e) {
      return Optional.empty(); // a broken stream is allowed, a mixture is not
    }
  }

  @Test
  default void anObjectIsDownloadedIntoAFile(@TempDir Path directory) throws IOException {
    byte[] bytes = SelfCheckingBytes.of(3, 300_000);
    ETag etag = fixture().write("large", Body.of(bytes));
    Path file = Files.writeString(directory.resolve("file"), "what was there before");
    assertThat(fixture().store().download("large", file)).contains(etag);
    assertThat(file).hasBinaryContent(bytes);
    assertThat(filesIn(directory)).containsExactly("file");
  }

  @Test
  default void aDownloadOfNothingLeavesNoFile(@TempDir Path directory) {
    assertThat(fixture().store().download("absent", directory.resolve("file"))).isEmpty();
    assertThat(filesIn(directory)).isEmpty();
  }

  private static Stream<String> filesIn(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  default void whatAReaderDoesToItsBytesDoesNotReachTheStore() {
    fixture().write("key", "text");
    fixture().store().get("key").orElseThrow().bytes()[0] = 'X';
    assertThat(fixture().text("key")).isEqualTo("text");
  }
}
