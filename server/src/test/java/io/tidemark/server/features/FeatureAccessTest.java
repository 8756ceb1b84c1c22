// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what to which collection. */
final class FeatureAccessTest extends FeatureRoutesFixture {

  @TempDir Path directory;

  private @Nullable RunningServer guarded;
  private TokenFile tokens;
  private String mine;
  private String other;

  @BeforeEach
  void make() {
    tokens = new TokenFile(directory.resolve("tokens"));
    mine = collection();
    other = collection();
    put(mine, "a", "x");
    put(other, "a", "secret");
  }

  /** Starts the server, which knows the tokens that there are by then. */
  private void guard() {
    guarded =
        new RunningServer(
            holdings(),
            AccessControl.of(AccessSettings.none().withTokens(directory.resolve("tokens"))),
            ServerSettings.standard());
  }

  @AfterEach
  void stopGuarded() {
    guarded().close();
  }

  private RunningServer guarded() {
    return Objects.requireNonNull(guarded);
  }

  private String token(String name, String... grants) {
    List<Grant> all = new ArrayList<>();
    for (String grant : grants) {
      all.addAll(Grant.parse(grant));
    }
    TokenRecord.NewToken newToken = TokenRecord.create(name, all, Instant.now(), Optional.empty());
    tokens.add(newToken.token());
    return newToken.secret();
  }

  private HttpResponse<String> ask(String token, String method, String path, String body) {
    return guarded()
        .send(
            HttpRequest.newBuilder(guarded().uri(path))
                .header("Authorization", "Bearer " + token)
                .method(method, BodyPublishers.ofString(body))
                .build());
  }

  @Test
  void aReaderOfOneCollectionSeesNothingOfAnother() {
    String reader = token("reader", "read:features/" + mine);
    guard();
    String guid = uuid(ok(server.get(all(other) + "/a")));
    ok(ask(reader, "GET", all(mine), ""));
    for (String path :
        List.of(
            "/v1/collections/" + other,
            all(other),
            all(other) + "/a",
            all(other) + "/a/history",
            "/v1/collections/" + other + "/export",
            "/v1/guids/" + encoded(guid))) {
      problem(404, "not-found", ask(reader, "GET", path, ""));
    }
    String both = "{\"collections\": [\"%s\", \"%s\"]}".formatted(mine, other);
    problem(404, "not-found", ask(reader, "POST", "/v1/features/query", both));
    JsonNode listed = ok(ask(reader, "GET", "/v1/collections", ""));
    assertThat(listed.path("items").findValuesAsText("id")).containsExactly(mine);
    assertThat(ask(reader, "GET", "/v1/transactions?limit=1000", "").body())
        .contains('"' + mine + '"')
        .doesNotContain('"' + other + '"');
    assertThat(ask(reader, "GET", "/v1/changes?after=0", "").body())
        .doesNotContain('"' + other + '"');
    String txn = xyz(ok(server.get(all(other) + "/a"))).path("txn").asText();
    problem(404, "not-found", ask(reader, "GET", "/v1/transactions/" + txn, ""));
    problem(401, "unauthenticated", ask("tm_00_nothing", "GET", all(mine), ""));
  }

  @Test
  void eachActionHasItsGrant() {
    String reader = token("reader2", "read:features/" + mine);
    String writer = token("writer", "read,write:features/" + mine);
    String keeper = token("keeper", "read,write,admin:features/" + mine);
    guard();
    problem(403, "forbidden", ask(reader, "PUT", all(mine) + "/b", point("b", "x")));
    problem(403, "forbidden", ask(reader, "DELETE", "/v1/collections/" + mine, ""));
    JsonNode written = ok(ask(writer, "PUT", all(mine) + "/b", point("b", "x")));
    assertThat(xyz(written).path("author").asText()).isEqualTo("writer");
    problem(403, "forbidden", ask(writer, "POST", "/v1/collections/" + mine + "/purge", ""));
    problem(403, "forbidden", ask(writer, "POST", "/v1/transactions/sequence", ""));
    String whole = "/v1/collections/" + mine;
    for (String forgets :
        List.of("{\"maxAge\":1}", "{\"historyEnabled\":false}", "{\"autoPurge\":true}")) {
      problem(403, "forbidden", ask(writer, "PATCH", whole, forgets));
      ok(ask(keeper, "PATCH", whole, forgets));
    }
    ok(ask(writer, "PATCH", whole, "{\"historyEnabled\":true,\"author\":\"ann\"}"));
    problem(403, "forbidden", ask(writer, "PUT", whole + "/history", "{\"enabled\":false}"));
    ok(ask(keeper, "PUT", whole + "/history", "{\"enabled\":false}"));
    ok(ask(writer, "PUT", whole + "/history", "{\"enabled\":true}"));
    problem(403, "forbidden", ask(keeper, "POST", "/v1/features/maintain", ""));
    ok(ask(keeper, "POST", "/v1/collections/" + mine + "/purge", ""));
  }

  @Test
  void onlyAnAdministratorWritesForSomebodyElse() {
    String writer = token("writer2", "write:features/" + mine);
    String keeper = token("keeper2", "write,admin:features/" + mine);
    guard();
    HttpRequest.Builder forAnn =
        HttpRequest.newBuilder(guarded().uri(all(mine) + "/b"))
            .header("Tidemark-Author", "ann")
            .PUT(BodyPublishers.ofString(point("b", "x")));
    problem(
        403,
        "forbidden",
        guarded().send(forAnn.copy().header("Authorization", "Bearer " + writer).build()));
    JsonNode written =
        ok(guarded().send(forAnn.copy().header("Authorization", "Bearer " + keeper).build()));
    assertThat(xyz(written).path("author").asText()).isEqualTo("ann");
  }
}
