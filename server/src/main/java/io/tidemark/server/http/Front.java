// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.Knock;
import io.tidemark.server.access.Need;
import io.tidemark.server.metrics.Meters;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes every request: names it, finds its route, asks the gate, has it answered. */
public final class Front extends Handler.Abstract {

  private static final Logger LOG = LoggerFactory.getLogger(Front.class);
  private static final String REQUEST_ID = "X-Request-Id";
  private static final Pattern FOREIGN_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final JsonMapper JSON = Reply.mapper();

  private static final String CROWDED =
      "as many long bodies and answers are on their way as the server takes";

  /** How many may stand in line for each thread. */
  private static final int LINE = 8;

  private final Routes routes;
  private final Gate gate;
  private final Limits limits;
  private final JsonMapper bodies;
  private final Idempotency idempotency =
      new Idempotency(Idempotency.Room.standard(), MonotonicTime.system());

  /** One for each request that may hold a thread for as long as its caller likes. */
  private final Semaphore streams;

  private final Line lookups;
  private final Line work;

  private final Meters meters;

  public Front(Routes routes, Gate gate, Limits limits, Meters meters) {
    this.routes = routes;
    this.gate = gate;
    this.limits = limits;
    this.bodies = Call.json(limits);
    this.streams = new Semaphore(limits.crowd().streams());
    int threads = limits.crowd().threads();
    this.lookups = new Line(limits.crowd().lookups(), threads * LINE);
    this.work = new Line(limits.crowd().work(), threads * LINE);
    this.meters = meters;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String id = id(request);
    response.getHeaders().put(REQUEST_ID, id);
    ProblemErrors.refuseGuessing(response);
    Exchange exchange = Exchange.begin(request, response, callback, id, meters);
    try (Exchange.Turn turn = exchange.enter()) {
      Routes.Match match = routes.find(request.getMethod(), request.getHttpURI().getPath());
      exchange.routed(match.route());
      Visitor visitor = admit(knock(request), match);
      exchange.called(visitor.caller());
      Fields query = QueryText.parse(request.getHttpURI().getQuery(), limits.queryParameters());
      match.shape().requireKnown(query);
      BodyStart.read(
          request,
          body -> {
            Call.Reading reading = new Call.Reading(body, bodies, limits);
            answer(exchange, match, new Call(request, match, query, visitor, reading, id));
          },
          failure -> send(failed(failure, exchange), exchange));
    } catch (Throwable e) {
      send(failed(e, exchange), exchange);
    }
    return true;
  }

  private Visitor admit(Knock knock, Routes.Match match) {
    Need need = match.route().need();
    Caller caller = gate.admit(knock, need, match.parameters());
    return new Visitor(caller, () -> gate.admitAgain(knock, need, match.parameters()));
  }

  /** The caller's own name for a request, if it is harmless in logs. */
  private static String id(Request request) {
    String given = request.getHeaders().get(REQUEST_ID);
    return given != null && FOREIGN_ID.matcher(given).matches()
        ? given
        : UUID.randomUUID().toString();
  }

  private static Knock knock(Request request) {
    HttpFields headers = request.getHeaders();
    return new Knock(
        String.valueOf(Request.getRemoteAddr(request)),
        only(headers, HttpHeader.AUTHORIZATION),
        only(headers, HttpHeader.HOST),
        only(headers, HttpHeader.ORIGIN),
        !READING.contains(request.getMethod()));
  }

  /** A header that decides about access; of two, a proxy may have looked at the other one. */
  private static Optional<String> only(HttpFields headers, HttpHeader name) {
    List<String> values = headers.getValuesList(name);
    if (values.size() > 1) {
      throw Call.invalid(
          "the request has %d headers %s; send one".formatted(values.size(), name.asString()));
    }
    return values.stream().findFirst();
  }

  private void answer(Exchange exchange, Routes.Match match, Call call) {
    Runnable answer =
        () -> {
          try (Exchange.Turn turn = exchange.enter()) {
            answered(exchange, match, call);
          }
        };
    Executor threads = exchange.request().getComponents().getExecutor();
    boolean taken =
        switch (match.route().lane()) {
          case VITAL -> {
            answer.run();
            yield true;
          }
          case LOOKUP -> lookups.take(answer, threads);
          case WORK -> work.take(answer, threads);
        };
    if (!taken) {
      send(busy("as many requests are waiting as the server lets wait"), exchange);
    }
  }

  private void answered(Exchange exchange, Routes.Match match, Call call) {
    boolean waits = !call.isWhole();
    if (waits && !streams.tryAcquire()) {
      send(busy(CROWDED), exchange);
      return;
    }
    try {
      Reply reply;
      try {
        reply = idempotency.answer(call, () -> reply(match, call));
      } catch (Throwable e) {
        reply = failed(e, exchange);
      }
      if (!waits && reply instanceof Reply.Streamed streamed) {
        waits = streams.tryAcquire();
        reply = waits ? reply : abandoned(streamed);
      }
      if (reply instanceof Reply.Live) {
        exchange.lives();
      }
      send(reply, exchange);
    } finally {
      if (waits) {
        streams.release();
      }
    }
  }

  private static Reply reply(Routes.Match match, Call call) throws IOException {
    boolean wideAsText = WideNumbers.asText(call);
    Reply reply = match.route().endpoint().answer(call);
    return wideAsText && reply instanceof Reply.Json json
        ? new Reply.Json(
            json.status(), json.type(), WideNumbers.asText(json.body()), json.headers())
        : reply;
  }

  /** What a stream is from may be open already, or even be another server at work. */
  private static Reply abandoned(Reply.Streamed streamed) {
    try {
      streamed.writing().close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("an answer that there is no room for wasn't closed: {}", e.toString());
    }
    return streamed.writing().hasBegun() ? unknown() : busy(CROWDED);
  }

  private static Reply unknown() {
    return Reply.problem(
        Problem.of(
            504,
            "outcome-unknown",
            CROWDED + "; it may have been done all the same: look before doing it again"));
  }

  private static Reply busy(String why) {
    return Reply.problem(Problem.of(503, "busy", why + "; try again soon"))
        .with("Retry-After", "1");
  }

  private static Reply failed(Throwable e, Exchange exchange) {
    if (e instanceof ProblemException known) {
      return new Reply.Failed(known.problem(), known.headers());
    }
    if (e instanceof TidemarkException known) {
      return new Reply.Failed(
          Problem.of(known),
          known.code().equals(ErrorCode.BUSY.text()) ? Map.of("Retry-After", "1") : Map.of());
    }
    if (e instanceof HttpException known) {
      return Reply.problem(ProblemErrors.problem(known.getCode()));
    }
    if (isBrokenOff(e)) {
      LOG.debug("request {}: it broke off", exchange.id());
      return Reply.problem(
          Problem.of(408, "broken-off", "the body broke off or took too long; send it again"));
    }
    LOG.error("request {}: {} failed", exchange.id(), exchange.request().getMethod(), e);
    return Reply.problem(
        Problem.of(500, "bug", "the server failed; its log says why under this request's id"));
  }

  /** Whether the caller is to blame, who went away or was too slow. */
  private static boolean isBrokenOff(Throwable e) {
    return e instanceof EofException
        || e instanceof ClosedChannelException
        || e instanceof TimeoutException
        || (e instanceof IOException && e.getCause() instanceof TimeoutException);
  }

  private static void send(Reply reply, Exchange exchange) {
    try {
      Response response =
          reply.isUntransformed() ? Compressed.plain(exchange.response()) : exchange.response();
      send(reply, exchange.request(), response, exchange.callback(), exchange.id());
    } catch (Throwable e) {
      if (reply instanceof Reply.Streamed && !exchange.response().isCommitted()) {
        send(failed(e, exchange), exchange.restarted());
        return;
      }
      LOG.warn("request {}: its answer broke off: {}", exchange.id(), e.toString());
      exchange.callback().failed(e);
    }
  }

  private static void send(
      Reply reply, Request request, Response response, Callback callback, String id)
      throws IOException {
    response.setStatus(reply.status());
    for (Map.Entry<String, String> header : reply.headers().entrySet()) {
      HttpField field = new HttpField(header.getKey(), header.getValue());
      if (field.getHeader() == HttpHeader.VARY) {
        response.getHeaders().ensureField(field); // handlers in front have their own reasons
      } else {
        response.getHeaders().put(field);
      }
    }
    boolean bodiless = request.getMethod().equals("HEAD");
    if (reply instanceof Reply.Streamed streamed) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, streamed.type());
      // Closed only when all is written: closing makes whatever there is look whole.
      OutputStream out = Content.Sink.asOutputStream(response);
      try (Reply.Writing writing = streamed.writing()) {
        if (!bodiless) {
          writing.to(out);
        }
      }
      if (bodiless) {
        headOnly(response, callback);
      } else {
        out.close();
        callback.succeeded();
      }
    } else if (reply instanceof Reply.Live live) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, live.type());
      if (bodiless) {
        headOnly(response, callback);
      } else {
        Outlet.begin(live.source(), request, response, callback);
      }
    } else if (reply instanceof Reply.Json json) {
      whole(bytes(json.body()), json.type(), bodiless, response, callback);
    } else if (reply instanceof Reply.Bytes bytes) {
      whole(bytes.content(), bytes.type(), bodiless, response, callback);
    } else if (reply instanceof Reply.Failed failed) {
      // If a body is left unread the connection ends, and its caller would send the next on it.
      if (!request.consumeAvailable()) {
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
      }
      whole(bytes(failed.problem().json(id)), Problem.TYPE, bodiless, response, callback);
    } else {
      callback.succeeded();
    }
  }

  /** Ends an answer to HEAD without a length, which nobody knows before the body is made. */
  private static void headOnly(Response response, Callback callback) {
    response.write(false, BufferUtil.EMPTY_BUFFER, callback);
  }

  private static void whole(
      byte[] bytes, String type, boolean bodiless, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    if (bodiless) {
      callback.succeeded();
    } else {
      response.write(true, ByteBuffer.wrap(bytes), callback);
    }
  }

  private static byte[] bytes(JsonNode json) throws JsonProcessingException {
    return JSON.writeValueAsBytes(json);
  }
}
