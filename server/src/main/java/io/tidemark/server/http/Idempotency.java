// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.internal.hash.Sha256;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Idempotency of writes: replays the answer of a request to a caller that sends it again with the
 * same {@code Idempotency-Key}.
 *
 * <p>A key belongs to a caller, a method and a path. The first request with it is carried out, and
 * its answer kept. The same request then gets that answer, and a different one a problem. A request
 * that arrives while the first is in progress is told to retry. To compare requests the server
 * needs the whole body first, so with a key a body has the limit of a document. Line-delimited
 * bodies have no limit: they are hashed while they are read. A later body with the same key is
 * compared over as many bytes as were read of the first.
 *
 * <p>Only complete and short answers are kept, and only those that tell the outcome of the request.
 * An unknown outcome is such an answer and is replayed, too. A caller that wants to repeat such a
 * request first checks whether it was done, then sends it under another key. If the server was
 * unavailable or out of time, nothing was done, and the same request is carried out.
 *
 * <p>The answers are kept in this process alone. So another server on the same store, or this one
 * after a restart, carries the request out again. Most writes are safe to repeat: they compare and
 * set, or declare a state and find it in place the second time. A caller whose write isn't safe to
 * repeat marks a retry with {@code Tidemark-Sent-Before}. If the server doesn't know the key then,
 * it does nothing, and the caller has to check the outcome.
 */
final class Idempotency {

  static final String KEY = "Idempotency-Key";
  static final String REPLAYED = "Idempotency-Replayed";
  static final String SENT_BEFORE = "Tidemark-Sent-Before";

  private static final String LINES = "application/x-ndjson";
  private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH", "DELETE");
  private static final Pattern VALID = Pattern.compile("[\\x21-\\x7e]{1,255}");

  /** Statuses of answers to requests that weren't carried out and may be retried. */
  private static final Set<Integer> UNDONE = Set.of(408, 429, 503);

  /** Status of answers to requests with an unknown outcome. */
  private static final int UNKNOWN = 504;

  private static final JsonMapper JSON = RouteResponse.mapper();

  /**
   * Limits on the answers that are kept.
   *
   * @param age maximum age of an answer
   * @param answers maximum number of answers
   * @param bytes maximum size of all answers together
   * @param answerBytes maximum size of one answer
   */
  record Capacity(Duration age, int answers, long bytes, int answerBytes) {
    static Capacity standard() {
      return new Capacity(Duration.ofHours(24), 100_000, 64L << 20, 1 << 20);
    }
  }

  /** Work that answers a request. */
  @FunctionalInterface
  interface Work {
    RouteResponse answer() throws IOException;
  }

  /** Scope of a key. */
  record Scope(String caller, String method, String path, String key) {
    /** Returns the approximate size of this scope in memory. */
    long bytes() {
      return 200L + caller.length() + path.length() + key.length();
    }
  }

  private sealed interface KeyState {
    String fingerprint();
  }

  private record InProgress(String fingerprint) implements KeyState {}

  /**
   * State of a request that has ended.
   *
   * @param body digest of the bytes read of a body that isn't part of the fingerprint
   * @param reply empty if nothing was done, so that the request may be carried out again
   */
  private record Completed(
      String fingerprint,
      HashingStream.Digest body,
      Optional<RouteResponse> reply,
      long bytes,
      long since)
      implements KeyState {}

  private final Capacity capacity;
  private final MonotonicTime time;

  /** States of requests by scope, the oldest first. */
  private final Map<Scope, KeyState> known = new LinkedHashMap<>();

  private long bytes;

  Idempotency(Capacity capacity, MonotonicTime time) {
    this.capacity = capacity;
    this.time = time;
  }

  /** Answers a request, or replays its earlier answer. */
  RouteResponse answer(HttpRequestContext httpRequestContext, Work work) throws IOException {
    Optional<String> key =
        WRITING.contains(httpRequestContext.method())
            ? httpRequestContext.idempotencyKey()
            : Optional.empty();
    if (key.isEmpty()) {
      return work.answer();
    }
    Scope scope =
        new Scope(
            httpRequestContext.caller().identity(),
            httpRequestContext.method(),
            httpRequestContext.target(),
            key.get());
    Attempt attempt =
        httpRequestContext.header(SENT_BEFORE).isPresent() ? Attempt.BEFORE : Attempt.PERHAPS;
    if (!isLines(httpRequestContext)) {
      return answer(scope, fingerprint(httpRequestContext), attempt, work);
    }
    HashingStream lines = new HashingStream(httpRequestContext.stream());
    httpRequestContext.observeBody(lines);
    return answer(scope, fingerprint(httpRequestContext, new byte[0]), attempt, work, lines);
  }

  private static boolean isLines(HttpRequestContext httpRequestContext) {
    return httpRequestContext
        .header("Content-Type")
        .filter(type -> type.startsWith(LINES))
        .isPresent();
  }

  /** Returns a key, or refuses it if it is malformed. */
  static String valid(String key) {
    if (!VALID.matcher(key).matches()) {
      throw HttpRequestContext.invalid("an " + KEY + " has 1 to 255 visible characters of ASCII");
    }
    return key;
  }

  /** Statement of a caller whether it has sent the request before. */
  enum Attempt {
    /** The request may be the first, or may be carried out as if it were. */
    PERHAPS,
    /** The request was sent before. */
    BEFORE
  }

  /**
   * Answers a request with a known fingerprint, or replays its earlier answer.
   *
   * @param fingerprint hash that identifies the request
   */
  RouteResponse answer(Scope scope, String fingerprint, Attempt attempt, Work work)
      throws IOException {
    return answer(
        scope, fingerprint, attempt, work, new HashingStream(InputStream.nullInputStream()));
  }

  /** Answers a request whose fingerprint excludes its body, which is hashed as it is read. */
  private RouteResponse answer(
      Scope scope, String fingerprint, Attempt attempt, Work work, HashingStream body)
      throws IOException {
    Optional<Completed> before = begin(scope, fingerprint, attempt);
    if (before.isPresent()) {
      if (!before.get().body().equals(body.digestOfFirst(before.get().body().bytes()))) {
        throw mismatch();
      }
      return before.get().reply().orElseThrow().with(REPLAYED, "true");
    }
    Optional<Completed> done = Optional.empty();
    try {
      RouteResponse routeResponse = answered(work);
      done = kept(fingerprint, routeResponse, scope, body.digest());
      return done.flatMap(Completed::reply).orElse(routeResponse);
    } finally {
      end(scope, done);
    }
  }

  /**
   * Returns the answer of the work. The failures of Tidemark become answers; all others are thrown.
   */
  private static RouteResponse answered(Work work) throws IOException {
    try {
      return work.answer();
    } catch (ProblemException e) {
      return new RouteResponse.Failed(e.problem(), e.headers());
    } catch (TidemarkException e) {
      return RouteResponse.problem(Problem.of(e));
    }
  }

  private synchronized Optional<Completed> begin(Scope scope, String fingerprint, Attempt attempt) {
    evictOld();
    KeyState before = known.get(scope);
    if (before == null) {
      if (attempt == Attempt.BEFORE) {
        throw unknown();
      }
      known.put(scope, new InProgress(fingerprint));
      return Optional.empty();
    }
    if (!before.fingerprint().equals(fingerprint)) {
      throw mismatch();
    }
    if (before instanceof Completed completed) {
      if (completed.reply().isEmpty()) {
        known.put(scope, new InProgress(fingerprint));
        bytes -= completed.bytes();
        return Optional.empty();
      }
      return Optional.of(completed);
    }
    throw new ProblemException(
        Problem.of(
            409,
            "idempotency-in-progress",
            "the first request with this " + KEY + " is still under way; try again soon"),
        Map.of("Retry-After", "1"));
  }

  private static ProblemException mismatch() {
    return new ProblemException(
        Problem.of(
            422,
            "idempotency-mismatch",
            "this " + KEY + " was used for another request; take a new one for each"));
  }

  private static ProblemException unknown() {
    return new ProblemException(
        Problem.of(
            409,
            "unknown-write",
            "no request with this "
                + KEY
                + " is known here any more; look whether it was done, and send it without "
                + SENT_BEFORE
                + " if it wasn't"));
  }

  private synchronized void end(Scope scope, Optional<Completed> done) {
    known.remove(scope);
    if (done.isPresent()) {
      known.put(scope, done.get());
      bytes += done.get().bytes();
      evictOld();
    }
  }

  private Optional<Completed> kept(
      String fingerprint, RouteResponse routeResponse, Scope scope, HashingStream.Digest body)
      throws JsonProcessingException {
    if (UNDONE.contains(routeResponse.status())) {
      return Optional.of(
          new Completed(fingerprint, body, Optional.empty(), scope.bytes(), time.nanos()));
    }
    if (routeResponse.status() >= 500 && routeResponse.status() != UNKNOWN) {
      return Optional.empty();
    }
    RouteResponse small;
    long size;
    if (routeResponse instanceof RouteResponse.Json json) {
      byte[] content = JSON.writeValueAsBytes(json.body());
      small = new RouteResponse.Bytes(json.status(), json.type(), content, json.headers());
      size = content.length;
    } else if (routeResponse instanceof RouteResponse.Failed failed) {
      small = failed;
      size = JSON.writeValueAsBytes(failed.problem().json("")).length;
    } else if (routeResponse instanceof RouteResponse.Empty) {
      small = routeResponse;
      size = 0;
    } else {
      return Optional.empty();
    }
    return size > capacity.answerBytes()
        ? Optional.empty()
        : Optional.of(
            new Completed(
                fingerprint, body, Optional.of(small), size + scope.bytes(), time.nanos()));
  }

  /** Evicts old answers. Requests in progress are kept, however many there are. */
  private void evictOld() {
    long now = time.nanos();
    int answers = known.size();
    for (Iterator<KeyState> oldest = known.values().iterator(); oldest.hasNext(); ) {
      if (!(oldest.next() instanceof Completed completed)) {
        continue;
      }
      boolean tooOld = now - completed.since() > capacity.age().toNanos();
      if (!tooOld && answers <= capacity.answers() && bytes <= capacity.bytes()) {
        return;
      }
      oldest.remove();
      answers--;
      bytes -= completed.bytes();
    }
  }

  private static String fingerprint(HttpRequestContext httpRequestContext) throws IOException {
    return fingerprint(httpRequestContext, httpRequestContext.bufferedBody());
  }

  private static String fingerprint(HttpRequestContext httpRequestContext, byte[] body) {
    Sha256 hash = new Sha256();
    for (String part :
        new String[] {
          httpRequestContext.queryText(),
          httpRequestContext.header("Content-Type").orElse(""),
          httpRequestContext.header("Accept").orElse(""),
          httpRequestContext.header("If-Match").orElse(""),
          httpRequestContext.header("If-None-Match").orElse("")
        }) {
      hash.update(part.getBytes(StandardCharsets.UTF_8));
      hash.update((byte) '\n');
    }
    hash.update(body);
    return new String(hash.bytes(), StandardCharsets.ISO_8859_1);
  }
}
