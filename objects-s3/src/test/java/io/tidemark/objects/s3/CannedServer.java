// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Says what it was told to say, one answer a request, for what a real server won't do. */
final class CannedServer implements AutoCloseable {

  /** One answer. */
  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  private final Queue<Answer> answers = new ArrayDeque<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  CannedServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** The next request gets this answer. */
  synchronized CannedServer then(Answer answer) {
    answers.add(answer);
    return this;
  }

  /** The next request gets this answer. */
  CannedServer then(int status, Map<String, String> headers, String body) {
    return then(
        exchange -> {
          headers.forEach(exchange.getResponseHeaders()::set);
          byte[] bytes = body.getBytes(UTF_8);
          boolean bare = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
          exchange.sendResponseHeaders(status, bare ? -1 : bytes.length);
          if (!bare) {
            exchange.getResponseBody().write(bytes);
          }
        });
  }

  /** A store for reading, which sends nothing when it is opened. */
  S3SettingsBuilder settings() {
    return S3Settings.builder("bucket")
        .prefix("p")
        .region("us-east-1")
        .endpoint(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
        .access(S3Settings.Access.READ_ONLY)
        .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      next().to(exchange);
    }
  }

  private synchronized Answer next() {
    Answer answer = answers.poll();
    return answer != null ? answer : exchange -> exchange.sendResponseHeaders(418, -1);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
