// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Somebody on this machine who receives events, and answers as the test wants. */
public final class Receiver implements AutoCloseable {

  /** A request as it arrived. */
  public record Call(String path, String host, HttpExchange exchange, String body) {
    public String header(String name) {
      return String.valueOf(exchange.getRequestHeaders().getFirst(name));
    }
  }

  /** Answers a request. */
  public interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private volatile Answer answer = status(204);

  Receiver(HttpServer server) {
    this.server = server;
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  public static Receiver start() {
    try {
      return new Receiver(HttpServer.create(loopback(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  public static Answer status(int status) {
    return exchange -> exchange.sendResponseHeaders(status, -1);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      calls.add(
          new Call(
              exchange.getRequestURI().toString(),
              String.valueOf(exchange.getRequestHeaders().getFirst("Host")),
              exchange,
              new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
      answer.to(exchange);
    }
  }

  public Receiver answer(Answer other) {
    answer = other;
    return this;
  }

  int port() {
    return server.getAddress().getPort();
  }

  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  public List<Call> calls() {
    return calls;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
