// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.ServerSettings.Tls;
import io.tidemark.server.access.AccessControl;
import io.tidemark.server.access.InvalidAccessException;
import io.tidemark.server.health.WriteProbe;
import io.tidemark.server.http.CrossOrigin;
import io.tidemark.server.http.Limits;
import io.tidemark.server.http.ProblemErrorHandler;
import io.tidemark.server.http.RequestDispatcher;
import io.tidemark.server.http.ResponseCompression;
import io.tidemark.server.http.Routes;
import io.tidemark.server.http.SlowClientGuard;
import io.tidemark.server.resources.ServerResources;
import io.tidemark.server.resources.WritePolicy;
import io.tidemark.server.watch.WatchHub;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Running HTTP server. */
public final class TidemarkServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TidemarkServer.class);

  /** Time that requests in progress get to finish when the server stops. */
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private static final int ACCEPT_QUEUE = 1024;

  /** Threads that Jetty needs for itself: acceptors, selectors and a reserve. */
  private static final int OWN_THREADS = 8;

  private final Server server;
  private final ServerConnector connector;
  private final SlowClientGuard slowClientGuard;
  private final ServerComponents serverComponents;

  private TidemarkServer(
      ServerSettings settings, AccessControl accessControl, ServerComponents serverComponents) {
    this.serverComponents = serverComponents;
    Limits limits = settings.limits();
    QueuedThreadPool threads = new QueuedThreadPool(limits.crowd().threads() + OWN_THREADS);
    threads.setName("tidemark");
    this.server = new Server(threads);
    this.connector = connector(server, settings);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(limits.crowd().connections(), server));
    this.slowClientGuard =
        new SlowClientGuard(
            limits,
            CrossOrigin.of(
                settings.access().origins(),
                ResponseCompression.of(
                    new RequestDispatcher(
                        serverComponents.routes(),
                        accessControl,
                        limits,
                        serverComponents.meters()))));
    connector.addBean(slowClientGuard, false);
    server.setHandler(new GracefulHandler(slowClientGuard));
    server.setErrorHandler(new ProblemErrorHandler());
    server.setStopTimeout(DRAIN.toMillis());
  }

  /** Starts a server, which accepts requests when this method returns. */
  public static TidemarkServer start(ServerSettings settings, ServerResources serverResources) {
    return start(settings, serverResources, AccessControl.of(settings.access()));
  }

  /** Starts a server with the given access control. */
  public static TidemarkServer start(
      ServerSettings settings, ServerResources serverResources, AccessControl accessControl) {
    ServerSettings meant =
        accessControl.isLocalOnly()
            ? settings
                .withLedgers(
                    settings.ledgers().withPlaces(settings.ledgers().places().orAnywhere()))
                .withRemotes(settings.remotes().orAnywhere())
            : settings;
    requireAuthenticationOrLoopback(meant, accessControl);
    if (meant.writes() == WritePolicy.TAKEN) {
      WriteProbe.require(serverResources);
    }
    return start(meant, new ServerComponents(serverResources, meant), accessControl);
  }

  /** Starts a server that has only these routes. */
  static TidemarkServer start(
      ServerSettings settings, ServerComponents serverComponents, AccessControl accessControl) {
    requireAuthenticationOrLoopback(settings, accessControl);
    TidemarkServer server = new TidemarkServer(settings, accessControl, serverComponents);
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

  /** Requires authentication unless the server binds to loopback. */
  private static void requireAuthenticationOrLoopback(
      ServerSettings settings, AccessControl accessControl) {
    if (accessControl.isLocalOnly() && !isLoopback(settings.host())) {
      throw new InvalidAccessException(
          "a server on %s can be reached from other machines, and nobody would be asked who they are;"
                  .formatted(settings.host())
              + " give it a file of tokens (--tokens, see 'tidemark token create') or JWT, listen"
              + " on 127.0.0.1, or say --insecure");
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static ServerConnector connector(Server server, ServerSettings settings) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(settings.limits().headerBytes());
    // A name may contain a slash, which is encoded in a path; routes see each step on its own. A
    // key may have any character, such as a backslash.
    http.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "tidemark",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS));
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    ServerConnector connector =
        settings
            .tls()
            .map(tls -> new ServerConnector(server, secure(tls, http), plain))
            .orElseGet(() -> new ServerConnector(server, plain));
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    // While idle connections are closed to make room, new ones wait here instead of being refused.
    connector.setAcceptQueueSize(ACCEPT_QUEUE);
    connector.setIdleTimeout(settings.limits().pace().idle().toMillis());
    return connector;
  }

  private static SslConnectionFactory secure(Tls tls, HttpConfiguration http) {
    SslContextFactory.Server keys = new SslContextFactory.Server();
    keys.setKeyStorePath(tls.keystore().toUri().toString());
    keys.setKeyStoreType("PKCS12");
    try (Stream<String> lines = Files.lines(tls.passwordFile())) {
      keys.setKeyStorePassword(lines.findFirst().orElse(""));
    } catch (IOException | UncheckedIOException e) {
      throw new InvalidAccessException(
          "can't read the password of the keystore in %s; check --tls-password-file"
              .formatted(tls.passwordFile()));
    }
    SecureRequestCustomizer customizer = new SecureRequestCustomizer();
    // Clients verify the server's name; the server has only one certificate to choose from.
    customizer.setSniHostCheck(false);
    http.addCustomizer(customizer);
    return new SslConnectionFactory(keys, HttpVersion.HTTP_1_1.asString());
  }

  /** Returns the address at which the server listens. */
  public URI address() {
    boolean tls = connector.getProtocols().contains("ssl");
    String host = connector.getHost();
    return URI.create(
        "%s://%s:%d"
            .formatted(
                tls ? "https" : "http",
                host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host,
                connector.getLocalPort()));
  }

  /** Returns the number of open connections. */
  int connections() {
    return slowClientGuard.connections();
  }

  /** Returns the hub that serves watches. */
  public WatchHub watchHub() {
    return serverComponents.hub();
  }

  /** Returns all routes of the server. */
  public Routes routes() {
    return serverComponents.routes();
  }

  /**
   * Stops the server: ends watches, which have no end of their own, accepts no more requests, and
   * waits for those in progress.
   */
  @Override
  public void close() {
    serverComponents.closeWatches();
    slowClientGuard.closeIdle();
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("the server didn't stop cleanly: {}", e.toString());
    }
    serverComponents.close();
  }
}
