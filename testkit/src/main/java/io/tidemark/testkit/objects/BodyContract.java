// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies of every size and source; one that isn't what it says leaves nothing half-written. */
interface BodyContract {

  StoreFixture fixture();

  @Test
  default void bodiesOfAnySizeComeBackAsTheyWere() {
    for (int size : List.of(0, 1, 100, 8192, 65_537, 1 << 20)) {
      byte[] bytes =
          size < SelfCheckingBytes.SHORTEST ? new byte[size] : SelfCheckingBytes.of(1, size);
      assertRoundTrip("size-" + size, Body.of(bytes), bytes);
    }
  }

  @Test
  default void aBodyComesFromAStream() {
    byte[] bytes = SelfCheckingBytes.of(2, 200_000);
    assertRoundTrip(
        "stream", Body.ofStream(bytes.length, () -> new ByteArrayInputStream(bytes)), bytes);
  }

  @Test
  default void aBodyComesFromAStreamThatYieldsLittleAtATime() {
    byte[] bytes = SelfCheckingBytes.of(3, 5_000);
    assertRoundTrip("trickle", Body.ofStream(bytes.length, () -> new SlowStream(bytes)), bytes);
  }

  @Test
  default void aBodyComesFromAFile(@TempDir Path directory) throws IOException {
    byte[] bytes = SelfCheckingBytes.of(4, 200_000);
    assertRoundTrip("file", Body.ofFile(Files.write(directory.resolve("file"), bytes)), bytes);
  }

  private void assertRoundTrip(String key, Body body, byte[] expected) {
    ObjectStore store = fixture().store();
    assertThat(store.put(key, body, Condition.ifAbsent()).written()).isTrue();
    assertHolds(key, expected);
    ETag etag = fixture().write(key, body);
    assertHolds(key, expected);
    assertThat(store.put(key, body, Condition.ifMatch(etag)).written()).isTrue();
    assertHolds(key, expected);
  }

  private void assertHolds(String key, byte[] expected) {
    assertThat(fixture().store().get(key).orElseThrow().bytes()).isEqualTo(expected);
    assertThat(fixture().store().head(key).orElseThrow().size()).isEqualTo(expected.length);
  }

  @Test
  default void aBodyShorterThanItSaysIsNotWritten() {
    assertNeverWritten(
        Body.ofStream(1000, () -> new ByteArrayInputStream(SelfCheckingBytes.of(5, 999))));
  }

  @Test
  default void aBodyLongerThanItSaysIsNotWritten() {
    assertNeverWritten(
        Body.ofStream(1000, () -> new ByteArrayInputStream(SelfCheckingBytes.of(6, 1001))));
  }

  @Test
  default void aBodyThatCannotBeReadIsNotWritten() {
    byte[] bytes = SelfCheckingBytes.of(7, 100_000);
    assertNeverWritten(
        Body.ofStream(
            bytes.length, () -> new BreakingStream(new ByteArrayInputStream(bytes), 50_000)));
    assertNeverWritten(
        Body.ofStream(
            bytes.length,
            () -> {
              throw new IOException("no such source");
            }));
  }

  private void assertNeverWritten(Body body) {
    assertRefused("absent", body, Condition.none());
    assertRefused("absent", body, Condition.ifAbsent());
    ETag etag = fixture().write("there", "before");
    assertRefused("there", body, Condition.none());
    assertRefused("there", body, Condition.ifMatch(etag));
    assertThat(fixture().text("absent")).isEqualTo("(absent)");
    assertThat(fixture().text("there")).isEqualTo("before");
    assertThat(fixture().store().head("there").orElseThrow().etag()).isEqualTo(etag);
    assertThat(fixture().keys("")).containsExactly("there");
  }

  private void assertRefused(String key, Body body, Condition condition) {
    assertThatThrownBy(() -> fixture().store().put(key, body, condition))
        .isInstanceOf(TidemarkException.class)
        .isNotInstanceOf(OutcomeUnknownException.class)
        .isNotInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining(key);
  }

  @Test
  default void whatAWriterDoesToItsBytesAfterwardsDoesNotReachTheStore() {
    byte[] bytes = {'t', 'e', 'x', 't'};
    fixture().write("key", Body.of(bytes));
    bytes[0] = 'X';
    assertThat(fixture().text("key")).isEqualTo("text");
  }

  /** One byte a call, as a slow connection may do. */
  final class SlowStream extends InputStream {
    private final byte[] bytes;
    private int next;

    SlowStream(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return next < bytes.length ? bytes[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (length == 0 || next == bytes.length) {
        return length == 0 ? 0 : -1;
      }
      into[offset] = bytes[next++];
      return 1;
    }
  }
}
