// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.client.Connection;
import io.tidemark.client.Request;
import io.tidemark.client.StreamedAnswer;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Has requests answered by another server: each is asked there with the token of this server, and
 * its answer given as it comes.
 *
 * <p>Who may do what is decided here, by whoever passes a request on: the other server knows only
 * this one.
 */
public final class Forwarding {

  private static final int WHOLE = 1 << 20;
  private static final int PIECE = 1 << 14;
  private static final int UNAUTHENTICATED = 401;

  private static final List<String> ASKED =
      List.of("Accept", "If-Match", "If-None-Match", "Tidemark-App", Idempotency.SENT_BEFORE);

  private static final List<String> TOLD =
      List.of(
          "Cache-Control",
          "ETag",
          "Location",
          "Retry-After",
          "Tidemark-Features",
          "Tidemark-Schema-Versions",
          "X-Accel-Buffering",
          Idempotency.REPLAYED);

  /** By how many servers a request was passed on. */
  private static final String HOPS = "Tidemark-Hops";

  private static final Pattern COUNT = Pattern.compile("[0-9]{1,4}");
  private static final int MOST_HOPS = 8;

  private final Connection upstream;

  public Forwarding(Connection upstream) {
    this.upstream = upstream;
  }

  /**
   * What is asked there, without a body: made of what was understood, never of a path as it came.
   */
  public static Request request(Call call, Route route) throws IOException {
    Request request = Request.of(call.isHead() ? "HEAD" : route.method(), steps(call, route));
    for (String name : call.queryNames()) {
      for (String value : call.queries(name)) {
        request = request.query(name, value);
      }
    }
    request = onward(call, request);
    for (String name : ASKED) {
      Optional<String> value = call.header(name);
      request = value.isPresent() ? request.header(name, value.get()) : request;
    }
    Optional<String> key = route.method().equals("GET") ? Optional.empty() : call.idempotencyKey();
    if (key.isPresent()) {
      byte[] unused = call.kept(); // or it is too long for there, too
      request = request.header(Idempotency.KEY, onward(call, key.get()));
    }
    return request;
  }

  /** Callers are one caller there, so a key is made of whose it is, too. */
  private static String onward(Call call, String key) {
    byte[] whose = (call.caller().identity() + '\n' + key).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(whose).toString();
  }

  /**
   * Returns the headers of {@link #onward(Call)}, and the key of a call that writes under one, so
   * that its work is done once there, too.
   */
  public static Map<String, String> onwardWithKey(Call call) {
    Map<String, String> headers = new TreeMap<>(onward(call));
    if (!call.method().equals("GET") && !call.isHead()) {
      call.idempotencyKey().ifPresent(key -> headers.put(Idempotency.KEY, onward(call, key)));
    }
    return headers;
  }

  /**
   * What this server asks for a call: under the same id, and having been passed on once more.
   * Servers that pass on to each other in a circle would do so until none has a thread left.
   */
  public static Request onward(Call call, Request request) {
    return request.headers(onward(call));
  }

  /**
   * Returns the headers of what this server asks for a call, see {@link #onward(Call, Request)}.
   */
  public static Map<String, String> onward(Call call) {
    String hops = call.header(HOPS).orElse("0");
    if (!COUNT.matcher(hops).matches()) {
      throw Call.invalid(HOPS + " is a small number, unlike \"" + hops + "\"");
    }
    int passed = Integer.parseInt(hops);
    if (passed >= MOST_HOPS) {
      throw new ProblemException(
          Problem.of(
              508,
              "loop-detected",
              "the request was passed on by %d servers; does the --data of one of them lead back?"
                  .formatted(passed)));
    }
    return Map.of("X-Request-Id", call.id(), HOPS, Integer.toString(passed + 1));
  }

  private static String[] steps(Call call, Route route) {
    return List.of(route.template().substring(1).split("/", -1)).stream()
        .map(step -> step.startsWith("{") ? call.path(step.substring(1, step.length() - 1)) : step)
        .toArray(String[]::new);
  }

  /** The answer to a request; a server that doesn't begin with it soon isn't there. */
  public Reply answer(Call call, Request request) throws IOException {
    return told(call, upstream.open(request));
  }

  private static Reply told(Call call, StreamedAnswer answer) throws IOException {
    if (answer.status() == UNAUTHENTICATED) {
      throw answer.whole().failure(); // it is this server that isn't known there, not its caller
    }
    Map<String, String> headers = new TreeMap<>();
    TOLD.forEach(name -> answer.header(name).ifPresent(value -> headers.put(name, value)));
    Optional<String> type = answer.header("Content-Type");
    Optional<Long> length = answer.header("Content-Length").map(Long::parseLong);
    if (call.isHead() && type.isPresent()) {
      answer.close();
      length.ifPresent(bytes -> headers.put("Content-Length", bytes.toString()));
      return new Reply.Streamed(answer.status(), type.get(), out -> {}, headers);
    }
    if (type.isEmpty()) {
      answer.close();
      return new Reply.Empty(answer.status(), headers);
    }
    if (length.filter(bytes -> bytes <= WHOLE).isPresent()) {
      return new Reply.Bytes(answer.status(), type.get(), answer.whole().bytes(), headers);
    }
    return new Reply.Streamed(
        answer.status(),
        type.get(),
        Reply.Writing.holding(answer.body(), out -> copy(answer.body(), out)),
        headers);
  }

  /** Each piece as it comes: somebody may wait for a line that says how far something is. */
  private static void copy(InputStream in, OutputStream out) throws IOException {
    byte[] piece = new byte[PIECE];
    for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
      out.write(piece, 0, n);
      out.flush();
    }
  }
}
