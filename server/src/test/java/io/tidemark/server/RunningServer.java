// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.names.NameService;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A server on a free port, and somebody who asks it and holds it to its promises. */
public final class RunningServer implements AutoCloseable {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();

  private final TidemarkServer server;

  public RunningServer(ServerResources serverResources) {
    this(serverResources, AccessControl.localOnly(), ServerSettings.standard());
  }

  public RunningServer(
      ServerResources serverResources, AccessControl accessControl, ServerSettings settings) {
    this.server = TidemarkServer.start(settings.withPort(0), serverResources, accessControl);
  }

  /** One that serves nothing but names, which are in memory. */
  public static RunningServer inMemory() {
    return new RunningServer(ServerResources.of(NameService.open("memory:")));
  }

  public TidemarkServer server() {
    return server;
  }

  public URI uri(String path) {
    return URI.create(server.address() + path);
  }

  public HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  public HttpResponse<String> send(String method, String path, String body) {
    return send(
        HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.ofString(body)).build());
  }

  public HttpResponse<String> send(HttpRequest request) {
    try {
      HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
      OpenApiResponseValidator.check(request, response);
      return response;
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** One of its metrics that has no labels. */
  public double gauge(String name) {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  public static JsonNode json(HttpResponse<String> response) {
    try {
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new AssertionError(response.body(), e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
