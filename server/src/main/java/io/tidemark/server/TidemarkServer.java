// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.access.Gate;
import io.tidemark.server.health.HealthRoutes;
import io.tidemark.server.http.Front;
import io.tidemark.server.http.Limits;
import io.tidemark.server.http.Route;
import io.tidemark.server.http.Routes;
import io.tidemark.server.names.NameRoutes;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. */
public final class TidemarkServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TidemarkServer.class);

  /** How long requests that are under way get when the server is to stop. */
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private final Server server;
  private final ServerConnector connector;
  private final Routes routes;

  private TidemarkServer(ServerSettings settings, Gate gate, Routes routes) {
    this.routes = routes;
    Limits limits = settings.limits();
    QueuedThreadPool threads = new QueuedThreadPool(limits.threads());
    threads.setName("tidemark");
    this.server = new Server(threads);
    this.connector = connector(server, settings);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(limits.connections(), server));
    server.setHandler(new GracefulHandler(new Front(routes, gate, limits)));
    server.setStopTimeout(DRAIN.toMillis());
  }

  /** Starts a server that answers when this returns. */
  public static TidemarkServer start(ServerSettings settings, Holdings holdings, Gate gate) {
    TidemarkServer server = new TidemarkServer(settings, gate, routes(holdings));
    try {
      server.server.start();
    } catch (Exception e) {
      server.close();
      throw new StoreUnavailableException(
          "can't listen on %s:%d (%s); is another server there? Choose another --port"
              .formatted(settings.host(), settings.port(), e.getMessage()),
          e);
    }
    return server;
  }

  /** Every operation on what a server holds. */
  static Routes routes(Holdings holdings) {
    List<Route> all = new ArrayList<>();
    all.addAll(new HealthRoutes(holdings).routes());
    all.addAll(new NameRoutes(holdings.names()).routes());
    return new Routes(all);
  }

  private static ServerConnector connector(Server server, ServerSettings settings) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(settings.limits().headerBytes());
    // A name may contain a slash, which is encoded in a path; routes see each step on its own.
    http.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "tidemark",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    connector.setIdleTimeout(settings.limits().idle().toMillis());
    return connector;
  }

  /** Where it listens. */
  public URI address() {
    return URI.create("http://" + connector.getHost() + ":" + connector.getLocalPort());
  }

  /** Every operation it has. */
  public Routes routes() {
    return routes;
  }

  /** Takes no more requests, lets those end that are under way, and stops. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("the server didn't stop cleanly: {}", e.toString());
    }
  }
}
