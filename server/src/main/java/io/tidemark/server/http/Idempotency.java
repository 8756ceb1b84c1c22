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
 * Answers a write that was sent before as it was answered then, for callers who lost the answer and
 * send the request again with the same {@code Idempotency-Key}.
 *
 * <p>A key belongs to a caller, a method and a path. The first request with it is carried out, and
 * its answer kept; the same request again gets that answer, another one a problem, and one that
 * comes while the first is under way is told to come back. To tell the same request from another
 * its whole body is needed first, so with a key a body has the limit of a document. Lines have no
 * limit: they are hashed while they are read, and what comes with the same key is held to as many
 * bytes as the first request was read.
 *
 * <p>Kept are whole answers that aren't long, and only those that say what became of the request.
 * That nobody knows is such an answer, too, and is told again: to carry the request out a second
 * time is for who has looked whether it was done, under another key. When the server was away, or
 * had no time, nothing was done, and the same request is carried out.
 *
 * <p>What is kept is in this process alone. So another server on the same store, or this one after
 * a restart, carries the request out again. Most writes bear that: they compare and set, or make
 * true what is said, and find nothing to do the second time. A caller that can't bear it says with
 * {@code Tidemark-Sent-Before} that it has sent the request before; if the key isn't known then,
 * nothing is done, and who sent it has to look.
 */
final class Idempotency {

  static final String KEY = "Idempotency-Key";
  static final String REPLAYED = "Idempotency-Replayed";
  static final String SENT_BEFORE = "Tidemark-Sent-Before";

  private static final String LINES = "application/x-ndjson";
  private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH", "DELETE");
  private static final Pattern VALID = Pattern.compile("[\\x21-\\x7e]{1,255}");

  /** Of answers that say that nothing was done, and may be the next time. */
  private static final Set<Integer> UNDONE = Set.of(408, 429, 503);

  /** Of answers that say that nobody knows what was done. */
  private static final int UNKNOWN = 504;

  private static final JsonMapper JSON = RouteResponse.mapper();

  /**
   * How much is kept.
   *
   * @param age for how long
   * @param answers how many
   * @param bytes how long they may be together
   * @param answerBytes how long one may be
   */
  record Capacity(Duration age, int answers, long bytes, int answerBytes) {
    static Capacity standard() {
      return new Capacity(Duration.ofHours(24), 100_000, 64L << 20, 1 << 20);
    }
  }

  /** Answers a request. */
  @FunctionalInterface
  interface Work {
    RouteResponse answer() throws IOException;
  }

  /** What a key belongs to. */
  record Scope(String caller, String method, String path, String key) {
    /** Roughly what it takes to keep it. */
    long bytes() {
      return 200L + caller.length() + path.length() + key.length();
    }
  }

  private sealed interface KeyState {
    String fingerprint();
  }

  private record InProgress(String fingerprint) implements KeyState {}

  /**
   * It has ended.
   *
   * @param body what was read of a body that the fingerprint leaves out
   * @param reply empty when nothing was done, so that it may be carried out
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

  /** The oldest first. */
  private final Map<Scope, KeyState> known = new LinkedHashMap<>();

  private long bytes;

  Idempotency(Capacity capacity, MonotonicTime time) {
    this.capacity = capacity;
    this.time = time;
  }

  /** Has a request answered, or answers as before. */
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

  /** A key, if it is one. */
  static String valid(String key) {
    if (!VALID.matcher(key).matches()) {
      throw HttpRequestContext.invalid("an " + KEY + " has 1 to 255 visible characters of ASCII");
    }
    return key;
  }

  /** What a caller says of a request. */
  enum Attempt {
    /** It may be the first, or be carried out as if it were. */
    PERHAPS,
    /** It was sent before. */
    BEFORE
  }

  /**
   * The same of a request that is known.
   *
   * @param fingerprint by which it is told from others
   */
  RouteResponse answer(Scope scope, String fingerprint, Attempt attempt, Work work)
      throws IOException {
    return answer(
        scope, fingerprint, attempt, work, new HashingStream(InputStream.nullInputStream()));
  }

  /** The same of a request whose fingerprint leaves out its body, which is hashed as it is read. */
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

  /** What a caller did wrong is an answer like any other; all else goes on as it is. */
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

  /** What is under way stays, however much there is. */
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
