// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.AuthRequest;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.RequiredPermission;
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

/**
 * Entry point of all requests: assigns an id, finds the route, authorizes the caller and
 * dispatches.
 */
public final class RequestDispatcher extends Handler.Abstract {

  private static final Logger LOG = LoggerFactory.getLogger(RequestDispatcher.class);
  private static final String REQUEST_ID = "X-Request-Id";
  private static final Pattern FOREIGN_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final JsonMapper JSON = RouteResponse.mapper();

  private static final String CROWDED =
      "as many long bodies and answers are on their way as the server takes";

  /** Length of the queue for each thread. */
  private static final int LINE = 8;

  private final Routes routes;
  private final AccessControl accessControl;
  private final Limits limits;
  private final JsonMapper bodies;
  private final Idempotency idempotency =
      new Idempotency(Idempotency.Capacity.standard(), MonotonicTime.system());

  /** Permits for requests that may hold a thread for as long as their clients like. */
  private final Semaphore streams;

  private final BoundedDispatchQueue lookups;
  private final BoundedDispatchQueue work;

  private final Meters meters;

  public RequestDispatcher(
      Routes routes, AccessControl accessControl, Limits limits, Meters meters) {
    this.routes = routes;
    this.accessControl = accessControl;
    this.limits = limits;
    this.bodies = HttpRequestContext.json(limits);
    this.streams = new Semaphore(limits.crowd().streams());
    int threads = limits.crowd().threads();
    this.lookups = new BoundedDispatchQueue(limits.crowd().lookups(), threads * LINE);
    this.work = new BoundedDispatchQueue(limits.crowd().work(), threads * LINE);
    this.meters = meters;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String id = id(request);
    response.getHeaders().put(REQUEST_ID, id);
    ProblemErrorHandler.disableContentSniffing(response);
    RequestTelemetry requestTelemetry =
        RequestTelemetry.begin(request, response, callback, id, meters);
    try (RequestTelemetry.ThreadScope threadScope = requestTelemetry.enter()) {
      Routes.Match match = routes.find(request.getMethod(), request.getHttpURI().getPath());
      requestTelemetry.setRoute(match.route());
      RevalidatingCaller revalidatingCaller = admit(authRequest(request), match);
      requestTelemetry.setCaller(revalidatingCaller.caller());
      Fields query =
          QueryStringParser.parse(request.getHttpURI().getQuery(), limits.queryParameters());
      match.shape().requireKnown(query);
      BufferedRequestBody.read(
          request,
          body -> {
            HttpRequestContext.BodySource bodySource =
                new HttpRequestContext.BodySource(body, bodies, limits);
            answer(
                requestTelemetry,
                match,
                new HttpRequestContext(request, match, query, revalidatingCaller, bodySource, id));
          },
          failure -> send(failed(failure, requestTelemetry), requestTelemetry));
    } catch (Throwable e) {
      send(failed(e, requestTelemetry), requestTelemetry);
    }
    return true;
  }

  private RevalidatingCaller admit(AuthRequest authRequest, Routes.Match match) {
    RequiredPermission requiredPermission = match.route().need();
    Caller caller = accessControl.authorize(authRequest, requiredPermission, match.parameters());
    return new RevalidatingCaller(
        caller,
        () -> accessControl.reauthorize(authRequest, requiredPermission, match.parameters()));
  }

  /** Returns the caller's own id of a request, if it is safe in logs. */
  private static String id(Request request) {
    String given = request.getHeaders().get(REQUEST_ID);
    return given != null && FOREIGN_ID.matcher(given).matches()
        ? given
        : UUID.randomUUID().toString();
  }

  private static AuthRequest authRequest(Request request) {
    HttpFields headers = request.getHeaders();
    return new AuthRequest(
        String.valueOf(Request.getRemoteAddr(request)),
        singleHeader(headers, HttpHeader.AUTHORIZATION),
        singleHeader(headers, HttpHeader.HOST),
        singleHeader(headers, HttpHeader.ORIGIN),
        !READING.contains(request.getMethod()));
  }

  /**
   * Returns a header that decides about access. A duplicate is refused, since a proxy may have
   * checked the other one.
   */
  private static Optional<String> singleHeader(HttpFields headers, HttpHeader name) {
    List<String> values = headers.getValuesList(name);
    if (values.size() > 1) {
      throw HttpRequestContext.invalid(
          "the request has %d headers %s; send one".formatted(values.size(), name.asString()));
    }
    return values.stream().findFirst();
  }

  private void answer(
      RequestTelemetry requestTelemetry,
      Routes.Match match,
      HttpRequestContext httpRequestContext) {
    Runnable answer =
        () -> {
          try (RequestTelemetry.ThreadScope threadScope = requestTelemetry.enter()) {
            answered(requestTelemetry, match, httpRequestContext);
          }
        };
    Executor threads = requestTelemetry.request().getComponents().getExecutor();
    boolean taken =
        switch (match.route().lane()) {
          case VITAL -> {
            answer.run();
            yield true;
          }
          case LOOKUP -> lookups.tryExecute(answer, threads);
          case WORK -> work.tryExecute(answer, threads);
        };
    if (!taken) {
      send(busy("as many requests are waiting as the server lets wait"), requestTelemetry);
    }
  }

  private void answered(
      RequestTelemetry requestTelemetry,
      Routes.Match match,
      HttpRequestContext httpRequestContext) {
    boolean waits = !httpRequestContext.isBodyComplete();
    if (waits && !streams.tryAcquire()) {
      send(busy(CROWDED), requestTelemetry);
      return;
    }
    try {
      RouteResponse routeResponse;
      try {
        routeResponse =
            idempotency.answer(httpRequestContext, () -> reply(match, httpRequestContext));
      } catch (Throwable e) {
        routeResponse = failed(e, requestTelemetry);
      }
      if (!waits && routeResponse instanceof RouteResponse.Streamed streamed) {
        waits = streams.tryAcquire();
        routeResponse = waits ? routeResponse : truncated(streamed);
      }
      if (routeResponse instanceof RouteResponse.Push) {
        requestTelemetry.markLongLived();
      }
      send(routeResponse, requestTelemetry);
    } finally {
      if (waits) {
        streams.release();
      }
    }
  }

  private static RouteResponse reply(Routes.Match match, HttpRequestContext httpRequestContext)
      throws IOException {
    boolean wideAsText = LargeIntegerEncoding.asText(httpRequestContext);
    RouteResponse routeResponse = match.route().endpoint().answer(httpRequestContext);
    return wideAsText && routeResponse instanceof RouteResponse.Json json
        ? new RouteResponse.Json(
            json.status(), json.type(), LargeIntegerEncoding.asText(json.body()), json.headers())
        : routeResponse;
  }

  /**
   * Closes a stream that can't be served. Its source may be open already, or even be work on
   * another server.
   */
  private static RouteResponse truncated(RouteResponse.Streamed streamed) {
    try {
      streamed.writing().close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("an answer that there is no room for wasn't closed: {}", e.toString());
    }
    return streamed.writing().hasBegun() ? unknown() : busy(CROWDED);
  }

  private static RouteResponse unknown() {
    return RouteResponse.problem(
        Problem.of(
            504,
            "outcome-unknown",
            CROWDED + "; it may have been done all the same: look before doing it again"));
  }

  private static RouteResponse busy(String why) {
    return RouteResponse.problem(Problem.of(503, "busy", why + "; try again soon"))
        .with("Retry-After", "1");
  }

  private static RouteResponse failed(Throwable e, RequestTelemetry requestTelemetry) {
    if (e instanceof ProblemException known) {
      return new RouteResponse.Failed(known.problem(), known.headers());
    }
    if (e instanceof TidemarkException known) {
      return new RouteResponse.Failed(
          Problem.of(known),
          known.code().equals(ErrorCode.BUSY.text()) ? Map.of("Retry-After", "1") : Map.of());
    }
    if (e instanceof HttpException known) {
      return RouteResponse.problem(ProblemErrorHandler.problem(known.getCode()));
    }
    if (isClientFault(e)) {
      LOG.debug("request {}: it broke off", requestTelemetry.id());
      return RouteResponse.problem(
          Problem.of(408, "broken-off", "the body broke off or took too long; send it again"));
    }
    LOG.error(
        "request {}: {} failed", requestTelemetry.id(), requestTelemetry.request().getMethod(), e);
    return RouteResponse.problem(
        Problem.of(500, "bug", "the server failed; its log says why under this request's id"));
  }

  /** Returns whether the client caused the failure, by disconnecting or by being too slow. */
  private static boolean isClientFault(Throwable e) {
    return e instanceof EofException
        || e instanceof ClosedChannelException
        || e instanceof TimeoutException
        || (e instanceof IOException && e.getCause() instanceof TimeoutException);
  }

  private static void send(RouteResponse routeResponse, RequestTelemetry requestTelemetry) {
    try {
      Response response =
          routeResponse.isUntransformed()
              ? ResponseCompression.plain(requestTelemetry.response())
              : requestTelemetry.response();
      send(
          routeResponse,
          requestTelemetry.request(),
          response,
          requestTelemetry.callback(),
          requestTelemetry.id());
    } catch (Throwable e) {
      if (routeResponse instanceof RouteResponse.Streamed
          && !requestTelemetry.response().isCommitted()) {
        send(failed(e, requestTelemetry), requestTelemetry.restarted());
        return;
      }
      LOG.warn("request {}: its answer broke off: {}", requestTelemetry.id(), e.toString());
      requestTelemetry.callback().failed(e);
    }
  }

  private static void send(
      RouteResponse routeResponse, Request request, Response response, Callback callback, String id)
      throws IOException {
    response.setStatus(routeResponse.status());
    for (Map.Entry<String, String> header : routeResponse.headers().entrySet()) {
      HttpField field = new HttpField(header.getKey(), header.getValue());
      if (field.getHeader() == HttpHeader.VARY) {
        response.getHeaders().ensureField(field); // handlers in front may have set others
      } else {
        response.getHeaders().put(field);
      }
    }
    boolean bodiless = request.getMethod().equals("HEAD");
    if (routeResponse instanceof RouteResponse.Streamed streamed) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, streamed.type());
      // Closed only after a complete write, since closing makes an incomplete answer look complete.
      OutputStream out = Content.Sink.asOutputStream(response);
      try (RouteResponse.BodyWriter bodyWriter = streamed.writing()) {
        if (!bodiless) {
          bodyWriter.writeTo(out);
        }
      }
      if (bodiless) {
        headOnly(response, callback);
      } else {
        out.close();
        callback.succeeded();
      }
    } else if (routeResponse instanceof RouteResponse.Push push) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, push.type());
      if (bodiless) {
        headOnly(response, callback);
      } else {
        PushChannel.begin(push.source(), request, response, callback);
      }
    } else if (routeResponse instanceof RouteResponse.Json json) {
      whole(bytes(json.body()), json.type(), bodiless, response, callback);
    } else if (routeResponse instanceof RouteResponse.Bytes bytes) {
      whole(bytes.content(), bytes.type(), bodiless, response, callback);
    } else if (routeResponse instanceof RouteResponse.Failed failed) {
      // An unread body ends the connection, on which the client would send its next request.
      if (!request.consumeAvailable()) {
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
      }
      whole(bytes(failed.problem().json(id)), Problem.TYPE, bodiless, response, callback);
    } else {
      callback.succeeded();
    }
  }

  /** Ends an answer to HEAD without a length, which is unknown before the body is produced. */
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
