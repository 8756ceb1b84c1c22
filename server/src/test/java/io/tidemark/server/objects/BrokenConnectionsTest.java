// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.client.HttpObjectBackend;
import io.tidemark.client.ServerConnection;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.objects.directory.DirectoryBackend;
import io.tidemark.objects.directory.Durability;
import io.tidemark.server.ConnectionBreakingProxy;
import io.tidemark.server.ConnectionBreakingProxy.Break;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of requests whose connection breaks. */
class BrokenConnectionsTest {

  private static final String KEY = "sessions/s/key";

  @TempDir private Path directory;

  private HttpObjectServer server;
  private ConnectionBreakingProxy proxy;
  private ObjectStore store;

  /** A store that keeps the attempts of writes, and one that doesn't. */
  enum Kind {
    MEMORY,
    DIRECTORY
  }

  @BeforeEach
  void start() throws IOException {
    server = new HttpObjectServer();
    proxy = new ConnectionBreakingProxy(server.address());
    store = new ObjectStore(client(), Retry.standard());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  private HttpObjectBackend client() {
    return new HttpObjectBackend(ServerConnection.open(proxy.address()));
  }

  private ObjectBackend behind(Kind kind) {
    return kind == Kind.MEMORY
        ? new MemoryBackend()
        : DirectoryBackend.open(directory, Durability.PAGE_CACHE);
  }

  private static ETag etag(WriteResult result) {
    return ((Written) result).etag();
  }

  private void breakOff(String method, Break where) {
    proxy.next(line -> line.startsWith(method + " "), where);
  }

  @ParameterizedTest
  @EnumSource
  void aWriteWhoseAnswerGotLostIsKnownToBeMade(Kind kind) {
    server.on(behind(kind));
    breakOff("PUT", Break.BEFORE_THE_ANSWER);
    ETag first = etag(store.put(KEY, Body.of("one"), Condition.ifAbsent()));
    breakOff("PUT", Break.BEFORE_THE_ANSWER);
    ETag second = etag(store.put(KEY, Body.of("two"), Condition.ifMatch(first)));

    assertThat(store.get(KEY).orElseThrow().text()).isEqualTo("two");
    assertThat(store.head(KEY).orElseThrow().etag()).isEqualTo(second);
    assertThat(proxy.requests().stream().filter(line -> line.startsWith("PUT ")).count())
        .as("none was made twice")
        .isEqualTo(2);
    assertThat(proxy.waiting()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aWriteThatTheServerNeverGotIsMadeAgain(Kind kind) {
    server.on(behind(kind));
    for (Break where : new Break[] {Break.BEFORE, Break.IN_THE_BODY}) {
      breakOff("PUT", where);
      String key = KEY + where;
      assertThat(store.put(key, Body.of("one"), Condition.ifAbsent()).written()).isTrue();
      assertThat(store.get(key).orElseThrow().text()).isEqualTo("one");
    }
    assertThat(proxy.waiting()).isZero();
  }

  /** A directory keeps no attempts, and another server doesn't know who wrote what is there. */
  @Test
  void whatNobodyKnowsAnyMoreIsSaidToBeUnknown() {
    server.on(behind(Kind.DIRECTORY));
    ETag first = etag(store.put(KEY, Body.of("one"), Condition.ifAbsent()));
    try (HttpObjectServer other = new HttpObjectServer()) {
      other.on(behind(Kind.DIRECTORY));
      proxy.next(line -> line.startsWith("PUT "), Break.BEFORE_THE_ANSWER, other.address());
      assertThatThrownBy(() -> store.put(KEY, Body.of("two"), Condition.ifMatch(first)))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("look for its trace before doing it again");
    }
  }

  @Test
  void aLargeBodyThatBreaksOffLeavesWhatWasThere() {
    server.on(behind(Kind.DIRECTORY));
    ETag first = etag(store.put(KEY, Body.of("one"), Condition.ifAbsent()));
    byte[] large = new byte[3 << 20];
    Arrays.fill(large, (byte) 7);
    ObjectBackend once = client();
    breakOff("PUT", Break.IN_THE_BODY);
    assertThatThrownBy(() -> once.put(KEY, Body.of(large), Condition.ifMatch(first), "a"))
        .isInstanceOf(OutcomeUnknownException.class);

    assertThat(store.get(KEY).orElseThrow().text()).isEqualTo("one");
    assertThat(store.head(KEY).orElseThrow().etag()).isEqualTo(first);
    breakOff("PUT", Break.IN_THE_BODY);
    assertThat(store.put(KEY, Body.of(large), Condition.ifMatch(first)).written()).isTrue();
    assertThat(store.get(KEY).orElseThrow().bytes()).isEqualTo(large);
  }

  @ParameterizedTest
  @EnumSource
  void anObjectThatBreaksOffIsNeverTakenForWhole(Kind kind) throws IOException {
    server.on(behind(kind));
    for (int size : new int[] {10, 1 << 16, 3 << 20}) {
      byte[] bytes = new byte[size];
      Arrays.fill(bytes, (byte) size);
      store.put(KEY, Body.of(bytes), Condition.none());
      breakOff("GET", Break.IN_THE_ANSWER);
      assertThat(store.get(KEY).orElseThrow().bytes()).as("is read again").isEqualTo(bytes);
      breakOff("GET", Break.IN_THE_ANSWER);
      try (ObjectStore.Download download = store.openStream(KEY).orElseThrow();
          InputStream in = download.stream()) {
        assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
      }
    }
    assertThat(proxy.waiting()).isZero();
  }

  @Test
  void aListingThatBreaksOffGoesOn() {
    server.on(behind(Kind.MEMORY));
    for (int i = 0; i < 5; i++) {
      store.put(KEY + i, Body.of("x"), Condition.none());
    }
    breakOff("GET", Break.IN_THE_ANSWER);
    breakOff("GET", Break.BEFORE);
    try (var listed = store.list("sessions/")) {
      assertThat(listed.map(info -> info.key()))
          .containsExactly(KEY + 0, KEY + 1, KEY + 2, KEY + 3, KEY + 4);
    }
    assertThat(proxy.waiting()).isZero();
  }

  @Test
  void aDeleteWhoseAnswerGotLostIsMadeAgain() {
    server.on(behind(Kind.MEMORY));
    store.put(KEY, Body.of("x"), Condition.none());
    breakOff("DELETE", Break.BEFORE_THE_ANSWER);
    store.delete(KEY);
    assertThat(store.get(KEY)).isEmpty();
  }
}
