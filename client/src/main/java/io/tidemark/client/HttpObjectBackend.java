// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.names.UnicodeText;
import io.tidemark.objects.Body;
import io.tidemark.objects.Condition;
import io.tidemark.objects.DeleteResult;
import io.tidemark.objects.ETag;
import io.tidemark.objects.Listing;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectInfo;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.ReadResult;
import io.tidemark.objects.ServerClock;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.WriteResult;
import io.tidemark.objects.WriteResult.PreconditionFailed;
import io.tidemark.objects.WriteResult.Written;
import io.tidemark.objects.internal.streams.DownloadStream;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The objects of a server, which are those of its store.
 *
 * <p>A call is one request, sent once. A write carries its attempt. The server tells which attempt
 * wrote the current object, if its store keeps attempts or it remembers the write. Otherwise it
 * tells nothing, and a lost answer stays unknown.
 *
 * <p>Times are those of the server's store: what its clock says comes with each answer.
 */
public final class HttpObjectBackend implements ObjectBackend {

  private static final String ATTEMPT = "Tidemark-Attempt";
  private static final String MODIFIED = "Tidemark-Modified";
  private static final String TIME = "Tidemark-Time";
  private static final String CONDITIONAL_DELETE = "Tidemark-Conditional-Delete";
  private static final String PROBLEM = "Tidemark-Problem";
  private static final String ABSENT = "no-such-object";
  private static final String CONFLICT = "precondition-failed";
  private static final String TYPE = "application/octet-stream";

  private final ServerConnection serverConnection;
  private final ServerClock clock =
      new ServerClock(Clock.systemUTC(), Duration.of(1, ChronoUnit.MICROS));
  private volatile Optional<Boolean> conditionalDelete = Optional.empty();

  public HttpObjectBackend(ServerConnection serverConnection) {
    this.serverConnection = serverConnection;
  }

  @Override
  public ReadResult<Content> get(String key, Optional<ETag> known) {
    ServerRequest serverRequest = of("GET", key);
    if (known.isPresent()) {
      serverRequest = serverRequest.header("If-None-Match", quoted(known.get()));
    }
    long sent = System.nanoTime();
    StreamedServerResponse answer = serverConnection.open(serverRequest);
    updateCapabilities(answer.headers(), sent);
    if (answer.status() == 200) {
      return found(key, answer);
    }
    ServerResponse whole = answer.readWhole();
    if (whole.status() == 304 && known.isPresent()) {
      return new ReadResult.NotModified<>();
    }
    if (whole.code().equals(ABSENT)) {
      return new ReadResult.Absent<>();
    }
    throw whole.isSuccess() ? unexpected(whole) : whole.failure();
  }

  private ReadResult<Content> found(String key, StreamedServerResponse answer) {
    Optional<ETag> etag = etag(answer.headers());
    long size = answer.headers().firstValueAsLong("Content-Length").orElse(-1);
    if (etag.isEmpty() || size < 0) {
      throw unexpected(answer.readWhole());
    }
    InputStream body = new DownloadStream(answer.body(), key, size);
    return new ReadResult.Found<>(etag.get(), new Content(size, body));
  }

  @Override
  public Optional<Head> head(String key) {
    ServerResponse serverResponse = send(of("HEAD", key));
    if (serverResponse.status() != 200) {
      String problem = serverResponse.header(PROBLEM).orElse("");
      if (problem.equals(ABSENT)) {
        return Optional.empty();
      }
      throw success(serverResponse, key, problem).failure();
    }
    Optional<ETag> etag = etag(serverResponse.headers());
    Optional<Instant> modified = serverResponse.header(MODIFIED).flatMap(UtcTimestamp::parse);
    long size = serverResponse.headers().firstValueAsLong("Content-Length").orElse(-1);
    if (etag.isEmpty() || modified.isEmpty() || size < 0) {
      throw unexpected(serverResponse);
    }
    return Optional.of(new Head(etag.get(), size, modified.get(), serverResponse.header(ATTEMPT)));
  }

  /** The answer to a HEAD has no body; what there is to say of a problem is its code. */
  private static ServerResponse success(ServerResponse serverResponse, String key, String code) {
    JsonNode document =
        JsonNodeFactory.instance
            .objectNode()
            .put("code", code)
            .put("detail", "looking at " + key + " was refused by the server: " + code);
    byte[] bytes = UnicodeText.bytes(document);
    return code.isEmpty()
        ? serverResponse
        : new ServerResponse(
            serverResponse.request(), serverResponse.status(), serverResponse.headers(), bytes);
  }

  @Override
  public WriteResult put(String key, Body body, Condition condition, String attempt) {
    ServerRequest serverRequest = of("PUT", key).header(ATTEMPT, attempt);
    if (condition instanceof Condition.IfMatch match) {
      serverRequest = serverRequest.header("If-Match", quoted(match.expected()));
    } else if (condition == Condition.ifAbsent()) {
      serverRequest = serverRequest.header("If-None-Match", "*");
    }
    ServerResponse serverResponse;
    try (OutgoingBody outgoing = OutgoingBody.open(key, body)) {
      serverResponse = outgoing.send(serverRequest.body(TYPE, outgoing.publisher()), this::send);
    }
    if (isConflict(serverResponse)) {
      return conflict(serverResponse);
    }
    if (!serverResponse.isSuccess()) {
      throw serverResponse.failure();
    }
    return etag(serverResponse.headers())
        .map(Written::new)
        .orElseThrow(() -> new OutcomeUnknownException(unexpectedText(serverResponse)));
  }

  @Override
  public DeleteResult delete(String key, Optional<ETag> expected) {
    ServerRequest serverRequest = of("DELETE", key);
    if (expected.isPresent()) {
      serverRequest = serverRequest.header("If-Match", quoted(expected.get()));
    }
    ServerResponse serverResponse = send(serverRequest);
    if (expected.isPresent() && isConflict(serverResponse)) {
      return conflict(serverResponse);
    }
    ServerResponse done = serverResponse.orThrow();
    if (done.status() != 204) {
      throw new OutcomeUnknownException(unexpectedText(done));
    }
    return DeleteResult.Deleted.DELETED;
  }

  @Override
  public Stream<Listing.Entry> list(Listing listing) {
    ServerRequest serverRequest =
        ServerRequest.get("v1", "objects")
            .query("prefix", listing.prefix())
            .query("depth", listing.depth() == Listing.Depth.ALL ? "all" : "children");
    if (!listing.startAfter().isEmpty()) {
      serverRequest = serverRequest.query("after", listing.startAfter());
    }
    return PageIterator.of(this::send, serverRequest, PageIterator.OTHERS)
        .map(HttpObjectBackend::entry);
  }

  private static Listing.Entry entry(JsonNode item) {
    JsonNode group = item.path("group");
    if (group.isTextual()) {
      return new Listing.Entry.Group(group.textValue());
    }
    String key = item.path("key").asText();
    String etag = item.path("etag").asText();
    Optional<Instant> modified = UtcTimestamp.parse(item.path("modified").asText());
    if (key.isEmpty() || etag.isEmpty() || modified.isEmpty()) {
      throw new StoreFailureException(
          "the listing of objects was answered as no Tidemark server does; check its address");
    }
    long size = item.path("size").asLong();
    return new Listing.Entry.Item(new ObjectInfo(key, new ETag(etag), size, modified.get()));
  }

  /** Asks the server what its store can do, if nothing was asked yet. */
  @Override
  public Capabilities capabilities() {
    if (conditionalDelete.isEmpty()) {
      try {
        ServerResponse unused = send(ServerRequest.get("v1", "objects").query("limit", "1"));
      } catch (TidemarkException e) {
        // No protocol may need it to be safe, so until it is known it counts as missing.
      }
    }
    return new Capabilities(serverConnection.toString(), conditionalDelete.orElse(false));
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public void close() {
    // Connections belong to the process, and end when they are idle.
  }

  private ServerResponse send(ServerRequest serverRequest) {
    long sent = System.nanoTime();
    ServerResponse serverResponse = serverConnection.send(serverRequest);
    updateCapabilities(serverResponse.headers(), sent);
    return serverResponse;
  }

  private void updateCapabilities(HttpHeaders headers, long sent) {
    Duration roundTrip = Duration.ofNanos(System.nanoTime() - sent);
    headers
        .firstValue(TIME)
        .flatMap(UtcTimestamp::parse)
        .ifPresent(time -> clock.recordResponse(time, roundTrip));
    Optional<Boolean> can = headers.firstValue(CONDITIONAL_DELETE).map(Boolean::valueOf);
    if (can.isPresent() && !can.equals(conditionalDelete)) {
      conditionalDelete = can;
    }
  }

  /** Each part of a key is a step of the path. */
  private static ServerRequest of(String method, String key) {
    String[] steps = ("v1/objects/" + key).split("/", -1);
    return ServerRequest.of(method, steps);
  }

  private static boolean isConflict(ServerResponse serverResponse) {
    return serverResponse.status() == 412 && serverResponse.code().equals(CONFLICT);
  }

  private static PreconditionFailed conflict(ServerResponse serverResponse) {
    JsonNode etag = serverResponse.json().path("etag");
    return new PreconditionFailed(
        etag.isTextual() ? Optional.of(new ETag(etag.textValue())) : Optional.empty());
  }

  private static Optional<ETag> etag(HttpHeaders headers) {
    return headers.firstValue("ETag").filter(tag -> tag.matches("\"[^\"]+\"")).map(ETag::new);
  }

  private static String quoted(ETag etag) {
    return '"' + etag.value() + '"';
  }

  private static StoreFailureException unexpected(ServerResponse serverResponse) {
    return new StoreFailureException(unexpectedText(serverResponse));
  }

  private static String unexpectedText(ServerResponse serverResponse) {
    return "%s was answered with %d as no Tidemark server does; check what is between here and there"
        .formatted(serverResponse.request(), serverResponse.status());
  }
}
