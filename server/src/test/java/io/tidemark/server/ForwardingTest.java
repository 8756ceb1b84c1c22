// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.HttpNameBackend;
import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerLocation;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose data is another server: a client asks it, it asks the other. Each knows only who
 * asks it: the client has a token of the first, which has one of the second.
 */
class ForwardingTest {

  private static final Address CRM = Address.parse("crm");

  @Entity
  record Note(@Key String id, String text) {}

  @TempDir private Path directory;

  private NameService stored;
  private RunningServer upstream;
  private NameService passedOn;
  private RunningServer forwarding;
  private String client = "";
  private String reader = "";

  @BeforeEach
  void start() {
    TokenFile above = new TokenFile(directory.resolve("above"));
    String link = token(above, "link", "read,write,lock:names", "read:server");
    stored = NameService.open(directory.resolve("data").toString());
    upstream = new RunningServer(ServerResources.of(stored), gate("above"), settings("above"));
    TokenFile below = new TokenFile(directory.resolve("below"));
    client = token(below, "client", "read,write,admin:names", "admin:server");
    reader = token(below, "reader", "read:names");
    passedOn = names(upstream, link);
    forwarding = new RunningServer(ServerResources.of(passedOn), gate("below"), settings("below"));
  }

  @AfterEach
  void stop() {
    forwarding.close();
    passedOn.close();
    upstream.close();
    stored.close();
  }

  private ServerSettings settings(String name) {
    ServerSettings standard = ServerSettings.standard();
    return standard.withLedgers(
        standard.ledgers().withCache(Optional.of(directory.resolve("cache-" + name))));
  }

  private AccessControl gate(String tokens) {
    return AccessControl.of(AccessSettings.none().withTokens(directory.resolve(tokens)));
  }

  private static String token(TokenFile file, String name, String... grants) {
    List<Grant> all = Arrays.stream(grants).flatMap(g -> Grant.parse(g).stream()).toList();
    TokenRecord.NewToken newToken = TokenRecord.create(name, all, Instant.now(), Optional.empty());
    file.add(newToken.token());
    return newToken.secret();
  }

  /** The names of a server for who has a token of it. */
  private static NameService names(RunningServer server, String token) {
    return new NameService(
        new HttpNameBackend(
            new ServerConnection(
                ServerLocation.parse(server.uri("").toString()),
                Optional.of(io.tidemark.client.BearerToken.of(token, "the test")))));
  }

  private HttpResponse<String> ask(String method, String path, String body) {
    return forwarding.send(
        HttpRequest.newBuilder(forwarding.uri(path))
            .method(method, BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + client)
            .build());
  }

  private JsonNode done(String method, String path, String body) {
    HttpResponse<String> response = ask(method, path, body);
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
    return RunningServer.json(response);
  }

  @Test
  void namesMoveUpstreamByCompareAndSet() {
    try (NameService names = names(forwarding, client)) {
      names.create(CRM);
      ConcernValue c1 = head(1);
      assertThat(names.push(CRM, Concern.HEAD, Optional.of(ConcernValue.UNBORN), c1).updated())
          .isTrue();
      assertThat(names.push(CRM, Concern.HEAD, Optional.of(ConcernValue.UNBORN), head(2)).updated())
          .as("somebody was faster")
          .isFalse();
      assertThat(stored.find(CRM).orElseThrow().commit()).isEqualTo(Ref.of("c1", 1));
      stored.push(CRM, Concern.HEAD, Optional.of(c1), head(2));
      assertThat(names.find(CRM)).isEqualTo(stored.find(CRM));
      names.retract(CRM);
      assertThat(stored.find(CRM).orElseThrow().meta().retracted()).isTrue();
    }
  }

  private static ConcernValue head(int t) {
    return ConcernValue.of(t, Payload.parse("{\"id\":\"c%d\",\"t\":%d}".formatted(t, t)));
  }

  @Test
  void aLedgerIsWrittenAndAskedUpstream() throws IOException {
    try (NameService names = names(forwarding, client)) {
      try (NamedLedgerInitializer init = new NamedLedgerInitializer(names, CRM, Optional.empty())) {
        init.init();
      }
      try (NamedLedgers.OpenLedger openLedger =
          new NamedLedgers(names).open(CRM, LedgerOptions.standard())) {
        openLedger
            .ledger()
            .write(
                List.of(RecordType.of(Note.class).schema()),
                Map.of(),
                session -> session.ensure(new Note("n1", "by objects")));
      }
    }
    done(
        "POST",
        "/v1/ledgers/crm/commits",
        "{\"type\":\"Note\",\"rows\":[{\"id\":\"n2\",\"text\":\"by a route\"}]}");
    JsonNode found = done("POST", "/v1/ledgers/crm/query", "{\"type\":\"Note\"}");
    assertThat(found.path("rows").findValuesAsText("text"))
        .containsExactly("by objects", "by a route");
    assertThat(stored.find(CRM).orElseThrow().commit().t()).isEqualTo(2);
    try (Stream<Path> all = Files.list(directory)) {
      assertThat(all.map(path -> path.getFileName().toString()).filter(n -> !n.endsWith(".lock")))
          .as("all that is kept below are copies, for the next query")
          .containsOnly("above", "below", "data", "cache-below");
    }
  }

  @Test
  void whatMovesUpstreamIsTold() {
    stored.create(CRM);
    JsonNode snapshot = done("GET", "/v1/watch", "");
    assertThat(snapshot.path("events").findValuesAsText("address")).contains("crm:main");
    stored.push(CRM, Concern.HEAD, Optional.of(ConcernValue.UNBORN), head(1));
    JsonNode told = done("GET", "/v1/watch?wait=60&after=" + snapshot.path("next").asText(), "");
    assertThat(told.path("resync").asBoolean()).isFalse();
    assertThat(told.path("events").get(0).path("moved").toString()).isEqualTo("[\"head\"]");
  }

  @Test
  void eachServerAsksWhoAsksIt() {
    try (NameService names = names(forwarding, reader)) {
      assertThat(names.find(CRM)).isEmpty();
      assertThatThrownBy(() -> names.create(CRM))
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining("write:names/crm");
    }
    try (NameService straight = names(upstream, client)) {
      assertThatThrownBy(() -> straight.find(CRM)).isInstanceOf(StoreAccessException.class);
    }
    assertThat(stored.find(CRM)).isEmpty();
    // The caller may administer here, and the server may not there.
    done("POST", "/v1/ledgers", "{\"ledger\":\"crm\"}");
    HttpResponse<String> refused = ask("DELETE", "/v1/objects/ledgers/crm/meta/head.json", "");
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
    assertThat(stored.find(CRM)).isPresent();
  }
}
