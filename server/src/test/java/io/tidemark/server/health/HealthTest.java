// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.names.MemoryNameBackend;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameService;
import io.tidemark.names.NameStore;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.WriteResult;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.http.ApiDescription;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.server.resources.WritePolicy;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a server says that it can work. */
final class HealthTest {

  private static NameService names(Runnable asked) {
    MemoryNameBackend there = new MemoryNameBackend();
    return new NameService(
        (NameBackend)
            Proxy.newProxyInstance(
                HealthTest.class.getClassLoader(),
                new Class<?>[] {NameBackend.class, NameStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("store")) {
                    return proxy;
                  }
                  if (method.getName().equals("marker")) {
                    asked.run();
                  }
                  return method.invoke(there, arguments);
                }));
  }

  @Test
  void saysItsVersion() {
    try (RunningServer server = RunningServer.inMemory()) {
      assertThat(server.get("/version").body())
          .matches("\\{\"version\":\"[0-9].*\",\"api\":\"v1\"}");
      assertThat(server.get("/ready").body()).isEqualTo("{\"status\":\"ready\"}");
      assertThat(RunningServer.json(server.get("/openapi.json")))
          .isEqualTo(ApiDescription.document());
    }
  }

  @Test
  void aStoreThatTakesNoWritesIsNotServed() {
    // It looks like an empty store, which is made with its first write.
    try (NameService names = NameService.open("/proc/tidemark")) {
      assertThatExceptionOfType(TidemarkException.class)
          .isThrownBy(
              () ->
                  TidemarkServer.start(
                      ServerSettings.standard().withPort(0), ServerResources.of(names)))
          .withMessageContaining("/proc/tidemark");
    }
  }

  @Test
  void aStoreThatTakesNoWritesAnyMoreIsNotReady() throws Exception {
    AtomicBoolean writable = new AtomicBoolean(true);
    AtomicInteger writes = new AtomicInteger();
    ObjectBackend backend =
        new ForwardingBackend(new MemoryBackend()) {
          @Override
          public WriteResult put(String key, Body body, Condition condition, String attempt) {
            writes.incrementAndGet();
            if (!writable.get()) {
              throw new StoreAccessException("it is mounted read-only");
            }
            return super.put(key, body, condition, attempt);
          }
        };
    try (ObjectStore store = new ObjectStore(backend, Retry.standard());
        NameService names = NameService.open("memory:")) {
      ServerResources serverResources =
          new ServerResources(names, Optional.of(store), Optional.empty());
      ReadinessCheck readinessCheck =
          new ReadinessCheck(
              serverResources, WritePolicy.TAKEN, Duration.ofMinutes(1), Duration.ZERO);
      assertThat(readinessCheck.problem()).isEmpty();
      assertThat(readinessCheck.problem()).isEmpty();
      assertThat(writes.get()).as("one counts for a while").isEqualTo(1);
      try (Stream<ObjectInfo> left = store.list("")) {
        assertThat(left).isEmpty();
      }
      writable.set(false);
      ReadinessCheck fresh =
          new ReadinessCheck(
              serverResources, WritePolicy.TAKEN, Duration.ofMinutes(1), Duration.ZERO);
      assertThat(fresh.problem()).contains("it is mounted read-only");
      assertThatExceptionOfType(StoreAccessException.class)
          .isThrownBy(() -> WriteProbe.require(serverResources));
      writable.set(true);
      assertThat(fresh.problem()).isEmpty();
    }
  }

  @Test
  void manyProbesAreOneLook() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (NameService names = names(asked::incrementAndGet)) {
      int before = asked.get();
      ReadinessCheck readinessCheck =
          new ReadinessCheck(
              ServerResources.of(names),
              WritePolicy.TAKEN,
              Duration.ofMinutes(1),
              Duration.ofMinutes(1));
      for (int i = 0; i < 100; i++) {
        assertThat(readinessCheck.problem()).isEmpty();
      }
      assertThat(asked.get() - before).isEqualTo(1);
    }
  }

  @Test
  void aStoreThatDoesNotAnswerIsWaitedForOnce() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger(-1); // the nameservice asks for it when it is made
    try (NameService names =
        names(
            () -> {
              if (asked.incrementAndGet() > 0) {
                try {
                  answers.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            })) {
      ReadinessCheck readinessCheck =
          new ReadinessCheck(
              ServerResources.of(names), WritePolicy.TAKEN, Duration.ofMillis(20), Duration.ZERO);
      for (int i = 0; i < 3; i++) {
        assertThat(readinessCheck.problem().orElseThrow()).startsWith("the store hasn't answered");
      }
      assertThat(asked.get()).isEqualTo(1);
      answers.countDown();
    }
  }

  @Test
  void aStoreThatIsAwayIsToldWithTheReasonToWhoMayKnow(@TempDir Path directory) throws Exception {
    AtomicInteger asked = new AtomicInteger(-1);
    try (NameService names =
        names(
            () -> {
              if (asked.incrementAndGet() > 0) {
                throw new StoreUnavailableException("the store is away; wait for it");
              }
            })) {
      ReadinessCheck readinessCheck =
          new ReadinessCheck(
              ServerResources.of(names), WritePolicy.TAKEN, Duration.ofMinutes(1), Duration.ZERO);
      assertThat(readinessCheck.problem()).contains("the store is away; wait for it");
      try (RunningServer server = new RunningServer(ServerResources.of(names))) {
        HttpResponse<String> answer = server.get("/ready");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(RunningServer.json(answer).path("detail").asText())
            .isEqualTo("the store is away; wait for it");
      }
      Path tokens = directory.resolve("tokens");
      new TokenFile(tokens)
          .add(
              TokenRecord.create("ada", Grant.parse("read:names"), Instant.now(), Optional.empty())
                  .token());
      AccessControl asks = AccessControl.of(AccessSettings.none().withTokens(tokens));
      try (RunningServer server =
          new RunningServer(ServerResources.of(names), asks, ServerSettings.standard())) {
        HttpResponse<String> answer = server.get("/ready");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("not-ready").doesNotContain("away");
      }
    }
  }
}
