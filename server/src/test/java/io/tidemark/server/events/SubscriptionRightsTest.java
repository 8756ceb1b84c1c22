// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.resources.ServerResources;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rights that subscriptions take beyond those of their namespace. */
final class SubscriptionRightsTest {

  @TempDir private Path directory;

  private String token(String name, String... grants) {
    List<Grant> all = new ArrayList<>();
    for (String grant : grants) {
      all.addAll(Grant.parse(grant));
    }
    TokenRecord.NewToken newToken = TokenRecord.create(name, all, Instant.now(), Optional.empty());
    new TokenFile(directory.resolve("tokens")).add(newToken.token());
    return newToken.secret();
  }

  @Test
  void changesOfNamesAreForThoseWhoMayReadAllNames() {
    String some = token("some", "admin:events/orders", "read:names/acme/");
    String all = token("all", "admin:events/orders", "read:names");
    ServerResources serverResources =
        new ServerResources(
            NameService.open("memory:"),
            Optional.of(ObjectStore.open("memory:")),
            Optional.empty());
    AccessSettings access = AccessSettings.none().withTokens(directory.resolve("tokens"));
    AccessControl accessControl = AccessControl.of(access);
    ServerSettings settings = ServerSettings.standard().withAccess(access);
    try (RunningServer server = new RunningServer(serverResources, accessControl, settings)) {
      assertThat(subscribe(server, some, "order.created")).isEqualTo(200);
      assertThat(subscribe(server, some, "names.head.moved")).isEqualTo(403);
      assertThat(subscribe(server, all, "names.head.moved")).isEqualTo(200);
    }
  }

  private static int subscribe(RunningServer server, String who, String type) {
    String body = "{\"types\":[\"" + type + "\"],\"url\":\"https://example.org/hook\"}";
    return server
        .send(
            HttpRequest.newBuilder(server.uri("/v1/events/orders/subscriptions"))
                .header("Authorization", "Bearer " + who)
                .POST(BodyPublishers.ofString(body))
                .build())
        .statusCode();
  }
}
