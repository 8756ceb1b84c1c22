// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.MemoryBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.WriteResult;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Route.Effect;
import io.tidemark.server.ledgers.LedgerSettings;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.server.resources.WritePolicy;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a server on a store that takes no writes. */
final class ReadOnlyTest {

  private static final String CRM = "/v1/ledgers/crm";

  @TempDir private Path directory;

  private final AtomicBoolean writable = new AtomicBoolean(true);
  private final List<String> refused = new ArrayList<>();

  private final ForwardingBackend backend =
      new ForwardingBackend(new MemoryBackend()) {
        @Override
        public WriteResult put(String key, Body body, Condition condition, String attempt) {
          requireWritable("put " + key);
          return super.put(key, body, condition, attempt);
        }

        @Override
        public DeleteResult delete(String key, Optional<ETag> expected) {
          requireWritable("delete " + key);
          return super.delete(key, expected);
        }
      };
  private final NameService names =
      new NameService(
          new ObjectNameBackend(
              new ObjectStore(backend, Retry.standard()),
              DocumentLayout.A,
              Retry.standard(),
              Clock.systemUTC()),
          NameOptions.standard().withoutNotifications());

  private void requireWritable(String what) {
    if (!writable.get()) {
      refused.add(what);
      throw new StoreAccessException("it is mounted read-only");
    }
  }

  @AfterEach
  void close() {
    names.close();
  }

  private RunningServer serving(WritePolicy writePolicy) {
    return new RunningServer(
        ServerResources.of(names),
        AccessControl.localOnly(),
        ServerSettings.standard()
            .withPort(0)
            .withLedgers(LedgerSettings.standard().withCache(Optional.of(directory)))
            .withWrites(writePolicy));
  }

  private void seed() {
    try (RunningServer server = serving(WritePolicy.TAKEN)) {
      assertThat(server.get("/ready").body()).isEqualTo("{\"status\":\"ready\"}");
      made(server, "/v1/ledgers", "{\"ledger\":\"crm\"}");
      made(
          server,
          CRM + "/commits",
          """
          {"type":"Customer","schema":[{"entity":"Customer","key":"id","fields":{"id":"string"}}],
           "rows":[{"id":"c1"},{"id":"c2"}]}
          """);
      made(server, "/v1/events/n1/events", "{\"type\":\"t\",\"id\":\"e1\"}");
    }
    writable.set(false);
  }

  private static void made(RunningServer server, String path, String body) {
    HttpResponse<String> answer = server.send("POST", path, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
  }

  @Test
  void aStoreThatTakesNoWritesIsRefusedWithTheWayToServeIt() {
    seed();
    assertThatExceptionOfType(StoreAccessException.class)
        .isThrownBy(() -> serving(WritePolicy.TAKEN))
        .withMessageContaining("it is mounted read-only")
        .withMessageContaining("serve it with --read-only");
  }

  @Test
  void itIsReadWithoutAnyWrite() {
    seed();
    try (RunningServer server = serving(WritePolicy.REFUSED)) {
      assertThat(server.get("/ready").body())
          .isEqualTo("{\"status\":\"ready\",\"read_only\":true}");
      for (String path :
          List.of(
              "/v1/names",
              "/v1/names/crm",
              "/v1/watch?from=start&wait=0",
              CRM,
              CRM + "/commits",
              CRM + "/types",
              CRM + "/commits/1/changes",
              CRM + "/diff?from=0&to=head",
              CRM + "/export",
              CRM + "/verify?deep",
              CRM + "/index?deep",
              "/v1/events/n1/events",
              "/v1/events/n1/events/e1",
              "/v1/remotes",
              "/v1/admin/status",
              "/metrics")) {
        HttpResponse<String> answer = server.get(path);
        assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
      }
      assertThat(
              RunningServer.json(
                      server.send("POST", CRM + "/query", "{\"type\":\"Customer\",\"count\":true}"))
                  .path("count")
                  .asLong())
          .isEqualTo(2);
      HttpResponse<String> sql =
          server.send("POST", CRM + "/sql", "{\"sql\":\"SELECT count(*) AS n FROM Customer\"}");
      assertThat(RunningServer.json(sql).at("/rows/0/n").asLong()).isEqualTo(2);
    }
    assertThat(refused).isEmpty();
  }

  @Test
  void whatChangesSomethingIsRefusedBeforeAnythingIsLookedAt() {
    seed();
    try (RunningServer server = serving(WritePolicy.REFUSED)) {
      int writing = 0;
      for (Route route : server.server().routes().all()) {
        if (route.effect() == Effect.WRITES) {
          writing++;
          String path = route.template().replaceAll("\\{[^}]*}", "crm");
          HttpResponse<String> answer = server.send(route.method(), path, "");
          assertThat(answer.statusCode()).as("%s", route).isEqualTo(403);
          assertThat(RunningServer.json(answer).path("code").asText())
              .as("%s", route)
              .isEqualTo("read-only");
          assertThat(answer.body()).contains("serve --read-only");
        }
      }
      assertThat(writing).isGreaterThan(40);
    }
    assertThat(refused).isEmpty();
  }

  @Test
  void onlyKnownRequestsReadAlthoughTheirMethodMayWrite() {
    try (ServerComponents serverComponents =
        new ServerComponents(ServerResources.of(names), ServerSettings.standard())) {
      assertThat(
              serverComponents.routes().all().stream()
                  .filter(route -> route.effect() == Effect.READS)
                  .filter(route -> !route.method().equals("GET"))
                  .map(Route::toString))
          .containsExactlyInAnyOrder(
              "POST /v1/ledgers/{address}/query",
              "POST /v1/ledgers/{address}/sql",
              "POST /v1/ledgers/{address}/validate",
              "POST /v1/features/query",
              "POST /v1/collections/{collection}/lookup");
    }
  }
}
