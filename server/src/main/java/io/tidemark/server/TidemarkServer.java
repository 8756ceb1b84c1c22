// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.ServerSettings.Tls;
import io.tidemark.server.access.Gate;
import io.tidemark.server.access.InvalidAccessException;
import io.tidemark.server.health.WriteProbe;
import io.tidemark.server.http.Compressed;
import io.tidemark.server.http.CrossOrigin;
import io.tidemark.server.http.Front;
import io.tidemark.server.http.Limits;
import io.tidemark.server.http.Patience;
import io.tidemark.server.http.ProblemErrors;
import io.tidemark.server.http.Routes;
import io.tidemark.server.resources.Holdings;
import io.tidemark.server.resources.Writes;
import io.tidemark.server.watch.Hub;
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

/** A running server. */
public final class TidemarkServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TidemarkServer.class);

  /** How long requests that are under way get when the server is to stop. */
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private static final int ACCEPT_QUEUE = 1024;

  /** What Jetty takes for itself, to accept, to select, and in reserve. */
  private static final int OWN_THREADS = 8;

  private final Server server;
  private final ServerConnector connector;
  private final Patience patience;
  private final Api api;

  private TidemarkServer(ServerSettings settings, Gate gate, Api api) {
    this.api = api;
    Limits limits = settings.limits();
    QueuedThreadPool threads = new QueuedThreadPool(limits.crowd().threads() + OWN_THREADS);
    threads.setName("tidemark");
    this.server = new Server(threads);
    this.connector = connector(server, settings);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(limits.crowd().connections(), server));
    this.patience =
        new Patience(
            limits,
            CrossOrigin.of(
                settings.access().origins(),
                Compressed.of(new Front(api.routes(), gate, limits, api.meters()))));
    connector.addBean(patience, false);
    server.setHandler(new GracefulHandler(patience));
    server.setErrorHandler(new ProblemErrors());
    server.setStopTimeout(DRAIN.toMillis());
  }

  /** Starts a server that answers when this returns. */
  public static TidemarkServer start(ServerSettings settings, Holdings holdings) {
    return start(settings, holdings, Gate.of(settings.access()));
  }

  /** Starts one with a gate of the caller's own. */
  public static TidemarkServer start(ServerSettings settings, Holdings holdings, Gate gate) {
    ServerSettings meant =
        gate.isForOwnMachine()
            ? settings
                .withLedgers(
                    settings.ledgers().withPlaces(settings.ledgers().places().orAnywhere()))
                .withRemotes(settings.remotes().orAnywhere())
            : settings;
    refuseExposure(meant, gate);
    if (meant.writes() == Writes.TAKEN) {
      WriteProbe.require(holdings);
    }
    return start(meant, new Api(holdings, meant), gate);
  }

  /** Starts one that has no other operations than these. */
  static TidemarkServer start(ServerSettings settings, Api api, Gate gate) {
    refuseExposure(settings, gate);
    TidemarkServer server = new TidemarkServer(settings, gate, api);
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

  /** A server that asks nobody who they are is reached by its own machine alone. */
  private static void refuseExposure(ServerSettings settings, Gate gate) {
    if (gate.isForOwnMachine() && !isLoopback(settings.host())) {
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
    // While room is made for new connections they wait here, and aren't turned away.
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
    // Callers check the server's name; the server has no others to be mistaken for.
    customizer.setSniHostCheck(false);
    http.addCustomizer(customizer);
    return new SslConnectionFactory(keys, HttpVersion.HTTP_1_1.asString());
  }

  /** Where it listens. */
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

  /** How many connections are open. */
  int connections() {
    return patience.connections();
  }

  /** Who watches it. */
  public Hub watching() {
    return api.hub();
  }

  /** Every operation it has. */
  public Routes routes() {
    return api.routes();
  }

  /**
   * Ends watches, which would never end by themselves, takes no more requests, lets those end that
   * are under way, and stops.
   */
  @Override
  public void close() {
    api.endWatches();
    patience.sendIdleAway();
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("the server didn't stop cleanly: {}", e.toString());
    }
    api.close();
  }
}
