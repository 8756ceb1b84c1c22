// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.tidemark.server.access.Caller;
import io.tidemark.server.metrics.Meters;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One request as logs, metrics and traces see it: by the template of its route, never by its path
 * or query, which may hold what is nobody's business. Only the log has the path of a request
 * without a route, which is what an operator looks for then. While a thread answers it, what that
 * thread logs has the request's id.
 */
final class RequestTelemetry {

  /** A thread works on it. */
  interface ThreadScope extends AutoCloseable {
    @Override
    void close();
  }

  /** Says a line a request; may be turned off by this name. */
  static final String ACCESS = "io.tidemark.access";

  private static final Logger LOG = LoggerFactory.getLogger(ACCESS);
  private static final String UNKNOWN = "none";
  private static final int MOST_SHOWN = 200;
  private static final Set<String> QUERIES = Set.of("query", "sql");

  private static final TextMapGetter<Request> HEADERS =
      (request, name) -> request == null ? null : request.getHeaders().get(name);

  private final Request request;
  private volatile Response response;

  /** Headers that the answer had before its route was asked. */
  private final HttpFields first;

  private final Callback callback;
  private final String id;
  private final Meters meters;
  private final long begun = System.nanoTime();
  private final Span span;
  private volatile String method = "other";
  private volatile String route = UNKNOWN;
  private volatile boolean routed;
  private volatile String caller = UNKNOWN;
  private volatile boolean live;

  private RequestTelemetry(
      Request request, Response response, Callback callback, String id, Meters meters) {
    this.request = request;
    this.response = response;
    this.first = HttpFields.build(response.getHeaders()).asImmutable();
    this.callback = callback;
    this.id = id;
    this.meters = meters;
    this.span = span(request);
  }

  static RequestTelemetry begin(
      Request request, Response response, Callback callback, String id, Meters meters) {
    RequestTelemetry requestTelemetry =
        new RequestTelemetry(request, response, callback, id, meters);
    meters.begun();
    Request.addCompletionListener(request, requestTelemetry::complete);
    return requestTelemetry;
  }

  Request request() {
    return request;
  }

  Response response() {
    return response;
  }

  /**
   * Begins the answer again, of which nothing has been sent: without compression, which may have
   * taken some of it already, and with the headers that every answer to this request has.
   */
  RequestTelemetry restarted() {
    response = ResponseCompression.plain(response);
    response.reset();
    HttpFields.Mutable headers = response.getHeaders();
    first.getFieldNamesCollection().forEach(name -> headers.put(name, first.getValuesList(name)));
    return this;
  }

  Callback callback() {
    return callback;
  }

  String id() {
    return id;
  }

  /** What this thread logs and traces until the turn is closed belongs to this request. */
  @SuppressWarnings("MustBeClosedChecker") // the turn closes it
  ThreadScope enter() {
    MDC.put("request", id);
    Scope scope = span.isRecording() ? span.makeCurrent() : Scope.noop();
    return () -> {
      scope.close();
      MDC.remove("request");
    };
  }

  /** Nothing is done for a trace that nobody collects. */
  private static Span span(Request request) {
    OpenTelemetry telemetry = GlobalOpenTelemetry.getOrNoop();
    if (telemetry == OpenTelemetry.noop()) {
      return Span.getInvalid();
    }
    Context parent =
        W3CTraceContextPropagator.getInstance().extract(Context.current(), request, HEADERS);
    return telemetry
        .getTracer("io.tidemark.server")
        .spanBuilder("HTTP")
        .setSpanKind(SpanKind.SERVER)
        .setParent(parent)
        .startSpan();
  }

  void setRoute(Route found) {
    method = found.method();
    route = found.template();
    routed = true;
    span.updateName(method + " " + route);
    span.setAttribute("http.request.method", method);
    span.setAttribute("http.route", route);
  }

  void setCaller(Caller who) {
    caller = who.name();
  }

  /** It lasts as long as its caller likes, which says nothing of how fast it is answered. */
  void markLongLived() {
    live = true;
  }

  private void complete(@Nullable Throwable failure) {
    long nanos = System.nanoTime() - begun;
    int status = response.getStatus();
    meters.ended();
    meters.answered(method, route, status, live ? 0 : nanos);
    String operation = route.substring(route.lastIndexOf('/') + 1);
    if (QUERIES.contains(operation)) {
      meters.queried(operation, status < 400 ? "ok" : status < 500 ? "refused" : "failed", nanos);
    }
    if (span.isRecording()) {
      span.setAttribute("http.response.status_code", status);
      if (failure != null || status >= 500) {
        span.setStatus(StatusCode.ERROR);
      }
      span.end();
    }
    if (LOG.isInfoEnabled()) {
      String millis = String.format(Locale.ROOT, "%.1f", nanos / 1e6);
      String asked = routed ? method : escaped(request.getMethod());
      String where = routed ? route : escaped(String.valueOf(request.getHttpURI().getPath()));
      LoggingEventBuilder line =
          LOG.atInfo()
              .addKeyValue("request", id)
              .addKeyValue("method", asked)
              .addKeyValue("route", routed ? route : UNKNOWN)
              .addKeyValue("status", status)
              .addKeyValue("ms", Double.valueOf(millis))
              .addKeyValue("caller", caller)
              .addKeyValue("bytes", Response.getContentBytesWritten(response));
      (routed ? line : line.addKeyValue("path", where))
          .log("{} {} {} in {} ms", asked, where, status, millis);
    }
  }

  /** Shortens and escapes a caller's text so that it is harmless in a log. */
  private static String escaped(String text) {
    String cut = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
    return cut.replaceAll("[^!-~]", "?");
  }
}
