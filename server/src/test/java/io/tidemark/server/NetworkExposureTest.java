// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.client.ServerConnection;
import io.tidemark.client.ServerRequest;
import io.tidemark.names.NameService;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.server.access.AccessSettings;
import io.tidemark.server.access.AccessSettings.Risk;
import io.tidemark.server.access.Grant;
import io.tidemark.server.access.InvalidAccessException;
import io.tidemark.server.access.JwtSettings;
import io.tidemark.server.access.TokenFile;
import io.tidemark.server.access.TokenRecord;
import io.tidemark.server.resources.ServerResources;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From where a server can be reached, and by whom. */
final class NetworkExposureTest {

  private static TidemarkServer start(ServerSettings settings) {
    return TidemarkServer.start(
        settings.withPort(0), ServerResources.of(NameService.open("memory:")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "no-such-host.invalid"})
  void aServerThatAsksNobodyListensToItsOwnMachineAlone(String host) {
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> start(ServerSettings.standard().withHost(host)))
        .withMessageStartingWith("a server on " + host + " can be reached from other machines")
        .withMessageContaining("--tokens")
        .withMessageContaining("--insecure");
  }

  @Test
  void whoTakesTheRiskIsListenedTo() {
    ServerSettings insecure =
        ServerSettings.standard()
            .withHost("0.0.0.0")
            .withAccess(AccessSettings.none().withAcceptedRisk(Risk.ANYBODY_FROM_ANYWHERE));
    try (TidemarkServer server = start(insecure);
        RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(
          "GET /v1/names/x HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n");
      assertThat(rawHttpClient.rest()).contains("there is no x:main");
    }
  }

  @Test
  void aServerWithTokensMayListenAnywhere(@TempDir Path directory) {
    Path tokens = directory.resolve("tokens");
    ServerSettings settings =
        ServerSettings.standard()
            .withHost("0.0.0.0")
            .withAccess(AccessSettings.none().withTokens(tokens));
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> start(settings))
        .withMessageStartingWith("there is no file of tokens " + tokens)
        .withMessageContaining("so nobody could use the server")
        .withMessageNotContaining("JWT");
    JwtSettings jwt =
        new JwtSettings(
            new JwtSettings.KeyFile(directory.resolve("key.pem")), "iss", "aud", Set.of("RS256"));
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> start(settings.withAccess(settings.access().withJwt(jwt))))
        .withMessageContaining("so callers could use JWT alone")
        .withMessageContaining("or leave out --tokens");
    new TokenFile(tokens)
        .add(
            TokenRecord.create("ada", Grant.parse("read:names"), Instant.now(), Optional.empty())
                .token());
    try (TidemarkServer server = start(settings);
        RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(
          "GET /v1/names/x HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n");
      assertThat(RawHttpClient.status(rawHttpClient.rest())).isEqualTo(401);
    }
  }

  @Test
  void aForeignNameForTheOwnMachineIsRefused() {
    try (TidemarkServer server = start(ServerSettings.standard())) {
      for (String host : new String[] {"evil.example", "evil.example:7700", "127.0.0.1.nip.io"}) {
        try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
          rawHttpClient.send(
              "GET /live HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
          assertThat(rawHttpClient.rest()).contains("HTTP/1.1 403", "\"code\":\"forbidden-host\"");
        }
      }
      try (RawHttpClient rawHttpClient = new RawHttpClient(server)) {
        rawHttpClient.send(
            "GET http://evil.example/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(RawHttpClient.status(rawHttpClient.rest())).isIn(400, 403);
      }
    }
  }

  @Test
  void noPageOfAnotherSiteIsToldThatItMayRead() {
    try (TidemarkServer server = start(ServerSettings.standard());
        RawHttpClient rawHttpClient = new RawHttpClient(server)) {
      rawHttpClient.send(
          RawHttpClient.head("GET /live", "Origin: https://evil.example", "Connection: close"));
      assertThat(rawHttpClient.rest()).contains("HTTP/1.1 200").doesNotContain("Access-Control");
    }
  }

  @Test
  void itProvesItselfWithTheKeyOfItsKeystore(@TempDir Path directory) throws Exception {
    Path keystore = directory.resolve("server.p12");
    Path password = Files.writeString(directory.resolve("password"), "changeit\n");
    keytool(keystore);
    ServerSettings settings =
        ServerSettings.standard().withTls(Optional.of(new ServerSettings.Tls(keystore, password)));
    try (TidemarkServer server = start(settings);
        SSLSocket socket =
            (SSLSocket)
                trusting(keystore)
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      assertThat(server.address().getScheme()).isEqualTo("https");
      socket
          .getOutputStream()
          .write(
              "GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 200")
          .endsWith("{\"status\":\"live\"}");
      ServerConnection stranger = ServerConnection.open(server.address().toString());
      assertThatExceptionOfType(StoreUnavailableException.class)
          .isThrownBy(() -> stranger.send(ServerRequest.get("live")))
          .withMessageContaining("doesn't prove who it is")
          .withMessageContaining("-Djavax.net.ssl.trustStore=");
    }
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(
            () ->
                start(
                    ServerSettings.standard()
                        .withTls(
                            Optional.of(
                                new ServerSettings.Tls(keystore, directory.resolve("none"))))))
        .withMessageContaining("can't read the password");
  }

  private static void keytool(Path keystore) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                keystore.toString(),
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }

  private static SSLContext trusting(Path keystore) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keystore)) {
      store.load(in, "changeit".toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", store.getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
