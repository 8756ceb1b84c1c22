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
 * Log, metrics and trace of one request. They contain the template of its route, never its path or
 * query, which may contain private data. Only for a request without a route does the log contain
 * the path, which an operator then needs. Log lines of the thread that answers the request carry
 * its id.
 */
final class RequestTelemetry {

  /** Scope in which a thread works on the request. */
  interface ThreadScope extends AutoCloseable {
    @Override
    void close();
  }

  /** Name of the access log, which has a line for each request and may be turned off. */
  static final String ACCESS = "io.tidemark.access";

  private static final Logger LOG = LoggerFactory.getLogger(ACCESS);
  private static final String UNKNOWN = "none";
  private static final int MOST_SHOWN = 200;
  private static final Set<String> QUERIES = Set.of("query", "sql");

  private static final TextMapGetter<Request> HEADERS =
      (request, name) -> request == null ? null : request.getHeaders().get(name);

  private final Request request;
  private volatile Response response;

  /** Headers that the answer had before the route was called. */
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
   * Resets an answer of which nothing has been sent. The new answer isn't compressed, since the
   * compression may have consumed part of the old one. It keeps the headers that every answer to
   * this request has.
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

  /** Attributes what this thread logs and traces to this request, until the scope is closed. */
  @SuppressWarnings("MustBeClosedChecker") // the scope closes it
  ThreadScope enter() {
    MDC.put("request", id);
    Scope scope = span.isRecording() ? span.makeCurrent() : Scope.noop();
    return () -> {
      scope.close();
      MDC.remove("request");
    };
  }

  /** Starts a span; returns an invalid one at no cost if no traces are collected. */
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

  /**
   * Marks the request as long-lived: its duration depends on the client and says nothing about
   * latency.
   */
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
