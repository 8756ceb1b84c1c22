// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Action;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.ResourceType;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is allowed of ledgers beyond what the path of a request tells. */
final class LedgerPermissionsTest {

  private static final String CRM = "/v1/ledgers/acme%2Fcrm";
  private static final String ROWS =
      "{\"type\":\"Plan\",\"metadata\":{\"author\":\"eve\"},\"rows\":[{\"id\":\"p1\",\"price\":1}]}";

  @TempDir private static Path directory;
  private static LedgerTestServer house;
  private static String ada;
  private static String bob;

  @BeforeAll
  static void start() {
    Path file = directory.resolve("tokens");
    ada = token(file, "ada", Action.READ, Action.WRITE);
    bob = token(file, "bob", Action.READ);
    house =
        new LedgerTestServer(
            directory,
            AccessControl.of(AccessSettings.none().withTokens(file)),
            settings -> settings.withAccess(AccessSettings.none().withTokens(file)));
    assertThat(send(ada, "POST", "/v1/ledgers", "{\"ledger\":\"acme/crm\"}").statusCode())
        .isEqualTo(201);
    assertThat(
            send(ada, "POST", CRM + "/types", "{\"schema\":" + LedgerTestServer.SCHEMA + "}")
                .statusCode())
        .isEqualTo(200);
  }

  /** Of somebody who may do this to what is of acme. */
  private static String token(Path file, String name, Action... actions) {
    List<Grant> grants =
        Stream.of(actions).map(action -> new Grant(action, ResourceType.NAMES, "acme/")).toList();
    TokenRecord.NewToken newToken =
        TokenRecord.create(name, grants, Instant.now(), Optional.empty());
    new TokenFile(file).add(newToken.token());
    return newToken.secret();
  }

  @AfterAll
  static void stop() {
    house.close();
  }

  private static HttpResponse<String> send(String who, String method, String path, String body) {
    return house.send(method, path, body, "Authorization", "Bearer " + who);
  }

  private static String problem(String who, String method, String path, String body) {
    return house.problem(send(who, method, path, body));
  }

  @Test
  void aLedgerIsMadeWhereOneMayWriteAndNowhereElse() {
    assertThat(problem(ada, "POST", "/v1/ledgers", "{\"ledger\":\"other\"}"))
        .isEqualTo("403 forbidden");
    assertThat(
            problem(
                ada, "POST", "/v1/ledgers", "{\"ledger\":\"acme/x\",\"objects\":\"ledgers/y/\"}"))
        .isEqualTo("403 forbidden");
    assertThat(
            problem(
                ada,
                "POST",
                "/v1/ledgers",
                "{\"ledger\":\"acme/crm\",\"force\":true,\"token\":\"x\"}"))
        .isEqualTo("403 forbidden");
    assertThat(problem(bob, "POST", "/v1/ledgers", "{\"ledger\":\"acme/y\"}"))
        .isEqualTo("403 forbidden");
  }

  @Test
  void whoWritesIsNamedWhateverTheySay() {
    HttpResponse<String> made = send(ada, "POST", CRM + "/commits", ROWS);
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(house.json(made).path("meta").path("author").asText()).isEqualTo("ada");
    assertThat(problem(bob, "POST", CRM + "/commits", ROWS)).isEqualTo("403 forbidden");
  }

  @Test
  void whoReadsMayAskAndNotChange() {
    assertThat(send(bob, "POST", CRM + "/query", "{\"type\":\"Customer\"}").statusCode())
        .isEqualTo(200);
    assertThat(send(bob, "POST", CRM + "/sql", "{\"sql\":\"SELECT 1\"}").statusCode())
        .isEqualTo(200);
    assertThat(send(bob, "GET", CRM + "/export", "").statusCode()).isEqualTo(200);
    assertThat(problem(bob, "POST", CRM + "/branches", "{\"branch\":\"dev\"}"))
        .isEqualTo("403 forbidden");
    assertThat(problem(bob, "DELETE", CRM + "/branches/dev", "")).isEqualTo("403 forbidden");
    assertThat(problem(bob, "POST", CRM + "/import?apply", "")).isEqualTo("403 forbidden");
    assertThat(problem(ada, "DELETE", CRM + "/branches/dev", "")).isEqualTo("403 forbidden");
    assertThat(problem(ada, "POST", CRM + "/gc", "{}")).isEqualTo("403 forbidden");
    assertThat(problem(bob, "POST", "/v1/ledgers/other/query", "{\"type\":\"Customer\"}"))
        .isEqualTo("404 not-found");
  }

  @Test
  void whoWritesMayChangeAndEndTypesSinceTheCommitsBeforeHaveThem() {
    String path = "/v1/ledgers/acme%2Ftypes";
    String type = "{\"entity\":\"Place\",\"key\":\"id\",\"fields\":{\"id\":\"string\"%s}}";
    assertThat(send(ada, "POST", "/v1/ledgers", "{\"ledger\":\"acme/types\"}").statusCode())
        .isEqualTo(201);
    send(
        ada,
        "POST",
        path + "/commits",
        "{\"type\":\"Place\",\"schema\":%s,\"rows\":[{\"id\":\"here\"}]}"
            .formatted(type.formatted("")));
    String migration =
        "{\"schema\":%s,\"apply\":true,\"force\":true}"
            .formatted(type.formatted(",\"zip\":\"string?\""));
    String drop = "{\"apply\":true,\"force\":true,\"purgeHistory\":true}";
    assertThat(problem(bob, "POST", path + "/migrate", migration)).isEqualTo("403 forbidden");
    assertThat(problem(bob, "POST", path + "/types/Place/drop", drop)).isEqualTo("403 forbidden");
    HttpResponse<String> migrated = send(ada, "POST", path + "/migrate", migration);
    assertThat(migrated.statusCode()).as(migrated.body()).isEqualTo(200);
    HttpResponse<String> dropped = send(ada, "POST", path + "/types/Place/drop", drop);
    assertThat(dropped.statusCode()).as(dropped.body()).isEqualTo(200);
    assertThat(send(ada, "GET", path + "/export", "").body()).isEmpty();

    assertThat(
            send(ada, "POST", path + "/branches", "{\"branch\":\"before\",\"at\":1}").statusCode())
        .isEqualTo(201);
    assertThat(send(ada, "GET", path + ":before/export", "").body()).contains("here");
    for (String care : List.of("/compact", "/index/repair", "/gc")) {
      assertThat(problem(ada, "POST", path + care, "{}")).isEqualTo("403 forbidden");
    }
  }

  @Test
  void answersAreKeptForTheirOwnCallers() {
    String place =
        "{\"schema\":{\"entity\":\"Place\",\"key\":\"id\",\"fields\":{\"id\":\"string\"}}}";
    HttpResponse<String> first =
        house.send(
            "POST",
            CRM + "/types",
            place,
            "Authorization",
            "Bearer " + ada,
            "Idempotency-Key",
            "same");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(
            house.problem(
                house.send(
                    "POST",
                    CRM + "/types",
                    place,
                    "Authorization",
                    "Bearer " + bob,
                    "Idempotency-Key",
                    "same")))
        .isEqualTo("403 forbidden");
  }

  @Test
  void onlyWhatOneMayReadIsListed() {
    assertThat(
            house
                .json(send(bob, "GET", "/v1/ledgers", ""))
                .path("items")
                .findValuesAsText("ledger"))
        .containsExactly("acme/crm:main");
    assertThat(house.problem(house.get("/v1/ledgers"))).isEqualTo("401 unauthenticated");
  }
}
