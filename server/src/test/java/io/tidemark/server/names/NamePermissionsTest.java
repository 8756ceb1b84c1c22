// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.Ref;
import io.tidemark.names.SoftLocks;
import io.tidemark.names.SoftLocks.Purpose;
import io.tidemark.names.SourceType;
import io.tidemark.names.view.RecordJson;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far a token reaches among names, also where the path doesn't say which is meant. */
final class NamePermissionsTest {

  private static final String CONFIG =
      """
      {"url": "jdbc:postgresql://me:hunter2@host/db?password=hunter2", "apiKey": "hunter2",
       "region": "eu"}""";

  @TempDir private Path directory;
  private NameService names;
  private RunningServer server;
  private String reader;
  private String writer;
  private String ofBranch;
  private String admin;
  private String locker;

  @BeforeEach
  void start() {
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    reader = token(tokens, "reader", "read:names/acme/");
    writer = token(tokens, "writer", "read,write:names/acme/");
    ofBranch = token(tokens, "branch", "read,write:names/acme/crm:dev");
    admin = token(tokens, "admin", "admin:names/acme/crm:dev");
    locker = token(tokens, "locker", "read,lock:names/acme/");
    names = NameService.open("memory:");
    for (String name : List.of("acme/crm", "acmecorp/crm", "other")) {
      names.create(Address.parse(name));
    }
    names
        .graphSources()
        .publish(
            Address.parse("acme/search"),
            new SourceType("f:BM25"),
            Payload.parse(CONFIG),
            List.of("acme/crm"));
    server =
        new RunningServer(
            ServerResources.of(names),
            AccessControl.of(AccessSettings.none().withTokens(directory.resolve("tokens"))),
            ServerSettings.standard());
  }

  @AfterEach
  void stop() {
    server.close();
    names.close();
  }

  private static String token(TokenFile file, String name, String grant) {
    TokenRecord.NewToken newToken =
        TokenRecord.create(name, Grant.parse(grant), Instant.now(), Optional.empty());
    file.add(newToken.token());
    return newToken.secret();
  }

  private HttpResponse<String> ask(String token, String method, String path, String body) {
    return server.send(
        HttpRequest.newBuilder(server.uri(path))
            .header("Authorization", "Bearer " + token)
            .method(method, BodyPublishers.ofString(body))
            .build());
  }

  private HttpResponse<String> get(String token, String path) {
    return ask(token, "GET", path, "");
  }

  @Test
  void aNameOutOfReachIsAnsweredExactlyLikeOneThatIsAbsent() {
    HttpResponse<String> there = get(reader, "/v1/names/other:main");
    HttpResponse<String> absent = get(reader, "/v1/names/absent:main");
    assertThat(there.statusCode()).isEqualTo(404);
    assertThat(plain(there).replace("other:main", "X"))
        .isEqualTo(plain(absent).replace("absent:main", "X"));
    HttpResponse<String> within = get(reader, "/v1/names/acme%2Fabsent:main");
    assertThat(plain(within).replace("acme/absent:main", "X"))
        .isEqualTo(plain(there).replace("other:main", "X"));
  }

  /** Without the id of the request. */
  private static String plain(HttpResponse<String> answer) {
    return answer.statusCode() + answer.body().replaceAll("request:[0-9a-f-]+", "request");
  }

  @Test
  void callersAreToldWhatTheyMay() {
    assertThat(get(writer, "/v1/caller").body())
        .isEqualTo(
            "{\"name\":\"writer\",\"known\":true,"
                + "\"grants\":[\"read:names/acme/\",\"write:names/acme/\"]}");
    assertThat(get("tm_000000000000_x", "/v1/caller").statusCode()).isEqualTo(401);
  }

  @Test
  void listingsShowWhatIsWithinReach() {
    assertThat(addresses(get(reader, "/v1/names")))
        .containsExactly("acme/crm:main", "acme/search:main");
    assertThat(addresses(get(reader, "/v1/survey")))
        .doesNotContain("other:main", "acmecorp/crm:main");
    assertThat(get(reader, "/v1/marker").statusCode()).isEqualTo(204);
  }

  private static List<String> addresses(HttpResponse<String> answer) {
    JsonNode items = RunningServer.json(answer).path("items");
    return items.findValuesAsText("address").stream().distinct().sorted().toList();
  }

  @Test
  void readersSeeNoSecretsAndWritersDo() {
    for (String path :
        List.of(
            "/v1/names/acme%2Fsearch",
            "/v1/names/acme%2Fsearch?exact",
            "/v1/names/acme%2Fsearch/config",
            "/v1/names/acme%2Fsearch/config?exact",
            "/v1/names?prefix=acme%2Fs",
            "/v1/names?prefix=acme%2Fs&exact")) {
      HttpResponse<String> shown = get(reader, path);
      assertThat(shown.statusCode()).as(path).isEqualTo(200);
      assertThat(shown.body())
          .as(path)
          .doesNotContain("hunter2")
          .contains("[hidden]", "eu", "jdbc:postgresql://me:[hidden]@host/db");
      assertThat(get(writer, path).body()).as(path).contains("hunter2");
    }
    ConcernValue kept = names.get(Address.parse("acme/search"), Concern.CONFIG).orElseThrow();
    assertThat(kept.payload().orElseThrow()).isEqualTo(Payload.parse(CONFIG));
  }

  @Test
  void whoMayWriteOneBranchMayNeitherMakeNorDropOthers() {
    HttpResponse<String> made =
        ask(ofBranch, "POST", "/v1/names/acme%2Fcrm:dev/branches", "{\"branch\":\"stolen\"}");
    assertThat(made.statusCode()).isEqualTo(403);
    assertThat(made.body()).contains("write:names/acme/crm:stolen");
    HttpResponse<String> dropped =
        ask(ofBranch, "POST", "/v1/names/acme%2Fcrm:dev/drop?whole=true&purge=true", "");
    assertThat(dropped.statusCode()).isEqualTo(403);
    assertThat(names.find(Address.parse("acme/crm"))).isPresent();
  }

  /** The names as the owner of a token has them in Java. */
  private NameService client(String token) throws IOException {
    Path file = Files.writeString(directory.resolve("token"), token);
    return NameService.open(server.server().address() + "?token-file=" + file);
  }

  private static SoftLocks locks(NameService names) {
    return new SoftLocks(names, Clock.systemUTC(), Duration.ofMinutes(1));
  }

  @Test
  void whoMayLockTakesLocksAndDoesNothingElse() throws IOException {
    Address crm = Address.parse("acme/crm");
    ConcernValue ready = ConcernValue.of(2, Payload.parse("{\"state\":\"ready\",\"queue\":3}"));
    names.push(crm, Concern.STATUS, names.get(crm, Concern.STATUS), ready);
    try (NameService mine = client(locker)) {
      SoftLocks.Acquired taken =
          (SoftLocks.Acquired) locks(mine).acquire(crm, Purpose.INDEX, "me", OptionalLong.of(4));
      assertThat(locks(mine).refresh(crm, Purpose.INDEX, taken.lock(), 0.5)).isPresent();
      ConcernValue status = mine.get(crm, Concern.STATUS).orElseThrow();
      Payload busy = status.payload().orElseThrow();
      assertThat(refusal(mine, status, next(status, busy.with(json -> json.put("queue", 4)))))
          .isEqualTo("write");
      assertThat(refusal(mine, status, next(status, busy.with(json -> json.put("state", "x")))))
          .isEqualTo("write");
      assertThat(locks(mine).release(crm, Purpose.INDEX, taken.lock())).isTrue();
      assertThatThrownBy(() -> mine.ledgers().publishCommit(crm, Ref.of("c1", 1)))
          .hasMessageContaining("write:names/acme/crm:main");
    }
  }

  @Test
  void whoMayWriteLeavesLocksAlone() throws IOException {
    Address crm = Address.parse("acme/crm");
    SoftLocks.Acquired held =
        (SoftLocks.Acquired)
            locks(names).acquire(crm, Purpose.INDEX, "another", OptionalLong.empty());
    try (NameService mine = client(writer)) {
      ConcernValue status = mine.get(crm, Concern.STATUS).orElseThrow();
      Payload kept = status.payload().orElseThrow();
      assertThat(refusal(mine, status, next(status, kept.with(json -> json.remove("index_lock")))))
          .isEqualTo("lock");
      assertThat(
              refusal(
                  mine, status, next(status, kept.with(json -> json.put("index_lock_epoch", 0)))))
          .isEqualTo("lock");
      assertThatThrownBy(
              () -> locks(mine).acquire(crm, Purpose.MAINTENANCE, "me", OptionalLong.empty()))
          .hasMessageContaining("lock:names/acme/crm:main");
      ObjectNode record = RecordJson.exact(names.find(crm).orElseThrow());
      ((ObjectNode) record.path("status").path("payload")).remove("index_lock");
      String tag = get(writer, "/v1/names/acme%2Fcrm").headers().firstValue("ETag").orElseThrow();
      HttpResponse<String> replaced =
          server.send(
              HttpRequest.newBuilder(server.uri("/v1/names/acme%2Fcrm/record"))
                  .header("Authorization", "Bearer " + writer)
                  .header("If-Match", tag)
                  .PUT(BodyPublishers.ofString(record.toString()))
                  .build());
      assertThat(replaced.statusCode()).isEqualTo(403);
      assertThat(refusal(mine, status, next(status, kept.with(json -> json.put("queue", 4)))))
          .isEqualTo("nothing");
      assertThat(locks(names).find(crm, Purpose.INDEX).map(SoftLocks.Lock::epoch))
          .contains(held.lock().epoch());
      assertThat(mine.retract(crm).meta().retracted()).isTrue();
      assertThat(mine.restore(crm).meta().retracted()).isFalse();
    }
  }

  private static ConcernValue next(ConcernValue status, Payload payload) {
    return ConcernValue.of(status.watermark() + 1, payload);
  }

  /** The action that a push of the status takes and its sender lacks. */
  private static String refusal(NameService by, ConcernValue status, ConcernValue next) {
    Address crm = Address.parse("acme/crm");
    try {
      assertThat(by.push(crm, Concern.STATUS, Optional.of(status), next).updated()).isTrue();
      return "nothing";
    } catch (StoreAccessException e) {
      return String.valueOf(e.getMessage()).replaceAll("(?s).*the grant ([a-z]+):.*", "$1");
    }
  }

  @Test
  void whatCantBeUndoneTakesAnAdministrator() {
    assertThat(
            ask(
                writer,
                "POST",
                "/v1/names/acme%2Fcrm/branches",
                "{\"branch\":\"dev\",\"at\":{\"id\":\"c1\",\"t\":1}}"))
        .returns(201, HttpResponse::statusCode);
    String record = "/v1/names/acme%2Fcrm:dev";
    for (String token : List.of(writer, ofBranch)) {
      assertThat(ask(token, "DELETE", record, "").statusCode()).isEqualTo(403);
      assertThat(ask(token, "DELETE", record + "/record", "").statusCode()).isEqualTo(403);
      assertThat(ask(token, "POST", record + "/drop", "").statusCode()).isEqualTo(403);
    }
    assertThat(ask(ofBranch, "POST", record + "/retract", "").statusCode()).isEqualTo(200);
    assertThat(ask(ofBranch, "POST", record + "/restore", "").statusCode()).isEqualTo(200);
    assertThat(ask(admin, "POST", record + "/drop?whole=true&purge=true", "").statusCode())
        .as("of one branch")
        .isEqualTo(403);
    assertThat(ask(admin, "POST", record + "/drop", "").statusCode()).isEqualTo(200);
    assertThat(names.find(Address.parse("acme/crm:dev"))).isEmpty();
  }
}
