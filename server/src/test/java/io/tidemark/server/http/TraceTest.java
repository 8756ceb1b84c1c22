// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import io.tidemark.server.RunningServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a trace says of a request, when somebody collects traces. */
final class TraceTest {

  private final List<String> told = new CopyOnWriteArrayList<>();

  @AfterEach
  void nobodyCollects() {
    GlobalOpenTelemetry.resetForTest();
  }

  private static <T> T made(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(TraceTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Collects calls, as an SDK would spans. */
  private OpenTelemetry collecting() {
    Span span =
        made(
            Span.class,
            (self, method, arguments) -> {
              if (method.isDefault() && method.getName().equals("storeInContext")) {
                return InvocationHandler.invokeDefault(self, method, arguments);
              }
              if (method.getName().equals("makeCurrent")) {
                return InvocationHandler.invokeDefault(self, method, arguments);
              }
              if (method.getName().equals("isRecording")) {
                return true;
              }
              told.add(method.getName() + (arguments == null ? "" : Arrays.asList(arguments)));
              return method.getReturnType() == Span.class ? self : null;
            });
    SpanBuilder builder =
        made(
            SpanBuilder.class,
            (self, method, arguments) -> {
              if (method.getName().equals("setParent")) {
                told.add(
                    "trace "
                        + Span.fromContext((Context) arguments[0]).getSpanContext().getTraceId());
              }
              return method.getName().equals("startSpan") ? span : self;
            });
    Tracer tracer = made(Tracer.class, (self, method, arguments) -> builder);
    TracerProvider provider = made(TracerProvider.class, (self, method, arguments) -> tracer);
    return made(OpenTelemetry.class, (self, method, arguments) -> provider);
  }

  @Test
  void aRequestIsASpanOfItsCallersTrace() {
    GlobalOpenTelemetry.set(collecting());
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    try (RunningServer server = RunningServer.inMemory()) {
      server.send(
          HttpRequest.newBuilder(server.uri("/v1/names/nobody?token=secret"))
              .header("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
              .build());
      Awaitility.await().until(() -> told.contains("end"));
    }
    assertThat(told)
        .contains("trace " + trace)
        .contains("updateName[GET /v1/names/{address}]")
        .contains("setAttribute[http.route, /v1/names/{address}]")
        .contains("setAttribute[http.response.status_code, 400]") // for the unknown parameter
        .noneMatch(line -> line.contains("secret"));
  }
}
