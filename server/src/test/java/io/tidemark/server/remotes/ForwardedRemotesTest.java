// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.remotes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerLocation;
import io.tidemark.names.NameService;
import io.tidemark.server.RunningServer;
import io.tidemark.server.ServerSettings;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.http.Limits;
import io.tidemark.server.resources.ServerResources;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server that passes remotes on does what the other one does. */
final class ForwardedRemotesTest extends RemoteRoutesTest {

  private String place = "";

  @Override
  RunningServer serve(AccessControl accessControl, ServerSettings settings) {
    RunningServer behind = super.serve(AccessControl.localOnly(), ServerSettings.standard());
    NameService passedOn = kept(NameService.open(behind.uri("").toString()));
    place = passedOn.location();
    ServerConnection upstream = ServerConnection.open(behind.uri("").toString());
    return kept(
        new RunningServer(
            ServerResources.of(passedOn).withUpstream(upstream), accessControl, settings));
  }

  @Override
  String place() {
    return place;
  }

  /** One whose callers may do all, before one that knows it by a token. */
  private RunningServer linked(RunningServer behind, String token) {
    ServerConnection upstream =
        new ServerConnection(
            ServerLocation.parse(behind.uri("").toString()),
            Optional.of(io.tidemark.client.BearerToken.of(token, "the test")));
    return kept(
        new RunningServer(
            ServerResources.of(names()).withUpstream(upstream),
            AccessControl.localOnly(),
            ServerSettings.standard()));
  }

  @Test
  void itAsksWithItsOwnToken() {
    Path above = directory.resolve("above");
    TokenFile file = new TokenFile(above);
    String operator = token(file, "operator", "admin:server", "read:names").orElseThrow();
    String reader = token(file, "reader", "read:names").orElseThrow();
    RunningServer behind =
        super.serve(
            AccessControl.of(AccessSettings.none().withTokens(above)),
            ServerSettings.standard().withRemotes(AllowedRemoteLocations.at(List.of(there()))));
    RunningServer trusted = linked(behind, operator);
    failed(trusted.send("PUT", "/v1/remotes/x", location("/elsewhere")), 403, "refused-place");
    HttpResponse<String> made = trusted.send("PUT", "/v1/remotes/origin", location(there()));
    assertThat(made.statusCode()).isEqualTo(200);
    makeLedger(super.serve(AccessControl.localOnly(), ServerSettings.standard()));
    failed(
        trusted.send("POST", "/v1/pull", "{\"local\":\"crm\",\"remote\":\"origin\"}"),
        403,
        "forbidden");
    failed(linked(behind, reader).get("/v1/remotes"), 403, "forbidden");
    // Its caller is known well enough; it is the server that isn't.
    failed(linked(behind, "tm_1_unknown").get("/v1/remotes"), 403, "access-denied");
  }

  @Test
  void whatTheOtherOneHasBegunIsNotSaidToBeUndone() {
    RunningServer crowded =
        serve(AccessControl.localOnly(), ServerSettings.standard().withLimits(crowded()));
    makeLedger(crowded);
    crowded.send("PUT", "/v1/remotes/origin", location(there()));
    failed(crowded.send(push(crowded)), 504, "outcome-unknown");
  }

  /** Of one that has no room for long answers. */
  private static Limits crowded() {
    return Limits.standard().withCrowd(new Limits.Concurrency(100, 16, 0, 2));
  }

  @Test
  void whatGoesInCirclesEnds() {
    RunningServer first = serve(AccessControl.localOnly(), ServerSettings.standard());
    RunningServer before =
        kept(
            new RunningServer(
                ServerResources.of(names())
                    .withUpstream(ServerConnection.open(first.uri("").toString())),
                AccessControl.localOnly(),
                ServerSettings.standard()
                    .withRemotes(AllowedRemoteLocations.at(List.of(there())))));
    assertThat(passed(first, "7", "GET", "/v1/remotes").statusCode()).isEqualTo(200);
    failed(passed(first, "8", "GET", "/v1/remotes"), 508, "loop-detected");
    failed(passed(first, "many", "GET", "/v1/remotes"), 400, "invalid-request");
    failed(passed(before, "7", "GET", "/v1/remotes"), 508, "loop-detected");
    failed(passed(before, "7", "POST", "/v1/remotes/x/fetch"), 508, "loop-detected");
  }

  private static HttpResponse<String> passed(
      RunningServer server, String hops, String method, String path) {
    return server.send(
        HttpRequest.newBuilder(server.uri(path))
            .header("Tidemark-Hops", hops)
            .method(method, BodyPublishers.noBody())
            .build());
  }

  @Test
  void oneThatSaysNothingIsWaitedForNoLongerThanForALine() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      String location = "http://127.0.0.1:%d?timeout=100ms".formatted(silent.getLocalPort());
      RunningServer asking =
          kept(
              new RunningServer(
                  ServerResources.of(names()).withUpstream(ServerConnection.open(location))));
      failed(asking.send(push(asking)), 504, "outcome-unknown");
    }
  }

  private static HttpRequest push(RunningServer server) {
    return HttpRequest.newBuilder(server.uri("/v1/push"))
        .header("Accept", "application/x-ndjson")
        .POST(BodyPublishers.ofString("{\"local\":\"crm\",\"remote\":\"origin\"}"))
        .build();
  }
}
