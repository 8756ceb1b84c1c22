// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.features;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.client.Answer;
import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import io.tidemark.server.http.Call;
import io.tidemark.server.http.Forwarding;
import io.tidemark.server.http.PushHub;
import io.tidemark.server.http.Reply;
import io.tidemark.server.http.Route;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The features of another server, for one that keeps nothing itself: each request is asked there
 * with the token of this server, and its answer given as it comes.
 *
 * <p>Who may do what is decided here. Where an answer is about many collections, the other server
 * would leave out what this one may not see, not what its caller may not; so those take the right
 * to all of them.
 */
final class ForwardedFeatures {

  private static final String CHANGES = "/v1/changes";

  /** What may take as long as it takes; for all else a server that doesn't answer isn't there. */
  private static final Set<String> LONG = Set.of("load", "export", "maintain", "purge");

  private final Connection upstream;
  private final Forwarding forwarding;
  private final PushHub hub =
      new PushHub(Newcomers.settings("tidemark-upstream-changes"), () -> this::isTold);

  ForwardedFeatures(Connection upstream) {
    this.upstream = upstream;
    this.forwarding = new Forwarding(upstream);
  }

  /** The same routes as of a server that has features. */
  List<Route> routes() {
    return FeatureRoutes.of(Optional.empty()).routes().stream()
        .map(route -> route.passedOn(call -> answer(call, route)))
        .toList();
  }

  private Reply answer(Call call, Route route) throws IOException {
    if (route.need().parameter().isEmpty()) {
      call.caller().require(route.need().action().orElseThrow(), route.need().realm(), "");
    }
    return route.template().equals(CHANGES) ? changes(call) : passedOn(call, route);
  }

  private Reply passedOn(Call call, Route route) throws IOException {
    Request request = Forwarding.request(call, route);
    Request whole = route.method().equals("GET") ? request : written(call, route, request);
    String last = route.template().substring(route.template().lastIndexOf('/') + 1);
    return LONG.contains(last)
        ? forwarding.answerPatiently(call, whole)
        : forwarding.answer(call, whole);
  }

  private static Request written(Call call, Route route, Request plain) throws IOException {
    Request request = plain;
    Optional<String> author =
        route.need().parameter().flatMap(name -> Desk.author(call, call.path(name)));
    if (author.isPresent()) {
      String encoded = URLEncoder.encode(author.get(), StandardCharsets.UTF_8).replace("+", "%20");
      request = request.header("Tidemark-Author", encoded);
    }
    for (String name : List.of("Content-Type", "Content-Encoding")) {
      Optional<String> value = call.header(name);
      request = value.isPresent() ? request.header(name, value.get()) : request;
    }
    boolean whole = call.length() >= 0 && call.length() <= call.limits().bodyBytes();
    return new Request(
        request.method(),
        request.target(),
        request.headers(),
        whole
            ? BodyPublishers.ofByteArray(call.bytes())
            : BodyPublishers.ofInputStream(call::stream),
        request.effect());
  }

  /** Asked once without waiting, so that a problem can be told; who then waits holds no thread. */
  private Reply changes(Call call) {
    boolean stream = ChangeStream.isWanted(call);
    Duration wait = LogRoutes.wait(call);
    Optional<Long> after = stream ? LogRoutes.streamedAfter(call) : LogRoutes.after(call);
    Request plain = Forwarding.onward(call, Request.get("v1", "changes"));
    for (String name : List.of("limit", "numbers")) {
      Optional<String> value = call.query(name);
      plain = value.isPresent() ? plain.query(name, value.get()) : plain;
    }
    Request asked = plain;
    Answer first =
        upstream.send(after.map(number -> UpstreamChanges.after(asked, number)).orElse(asked));
    JsonNode found = first.isSuccess() ? first.json() : JsonNodeFactory.instance.objectNode();
    boolean waits = stream || (after.isPresent() && !wait.isZero());
    if (!first.isSuccess() || !waits || (!stream && !found.path("items").isEmpty())) {
      return new Reply.Bytes(
          first.status(), first.header("Content-Type").orElse(Reply.JSON), first.bytes(), Map.of());
    }
    hub.requireRoom(call.caller());
    long start = after.orElseGet(() -> found.path("after").asLong());
    return LogRoutes.live(
        stream ? ChangeStream.TYPE : Reply.JSON,
        () ->
            stream
                ? UpstreamChanges.stream(call.visitor(), this, asked, start)
                : UpstreamChanges.poll(call.visitor(), this, asked, start, wait));
  }

  CompletableFuture<Answer> ask(Request request) {
    return upstream.sendLater(request);
  }

  PushHub hub() {
    return hub;
  }

  /** Waits; followers are told by the answers of the other server. */
  private boolean isTold(Duration atMost) throws InterruptedException {
    return hub.pause(atMost);
  }

  /** Ends those who wait. */
  void close() {
    hub.close();
  }
}
