// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.features.CommitOutcomeUnknownException;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.RetractedException;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a server is asked, and what is made of what it says, or of its saying nothing. */
final class ServerConnectionTest {

  private static final ServerRequest GET = ServerRequest.get("v1", "names", "acme/crm:main");
  private static final ServerRequest PUT =
      ServerRequest.of("PUT", "v1", "names", "mydb:main", "head");

  /** Answers one request with this text, and then hangs up. */
  private static final class OneAnswer implements AutoCloseable {
    private final ServerSocket socket;
    private volatile String asked = "";

    OneAnswer(String text) throws IOException {
      socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      Thread thread =
          new Thread(
              () -> {
                // Twice, since the platform's client asks again by itself where nothing is changed.
                for (int i = 0; i < 2; i++) {
                  answer(text);
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    private void answer(String text) {
      try (Socket client = socket.accept();
          InputStream in = client.getInputStream()) {
        String first = new String(in.readNBytes(1), StandardCharsets.US_ASCII);
        asked = first + new String(in.readNBytes(in.available()), StandardCharsets.US_ASCII);
        client.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // closed
      }
    }

    ServerConnection connection(Optional<BearerToken> token) {
      String location = "http://127.0.0.1:" + socket.getLocalPort();
      return new ServerConnection(ServerLocation.parse(location), token);
    }

    ServerConnection connection() {
      return connection(Optional.empty());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static String problem(int status, String code) {
    String body = "{\"code\":\"" + code + "\",\"detail\":\"because\",\"status\":" + status + "}";
    return "HTTP/1.1 %d X\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(status, body.length(), body);
  }

  private static TidemarkException failure(ServerRequest serverRequest, String answer)
      throws IOException {
    try (OneAnswer server = new OneAnswer(answer)) {
      return server.connection().send(serverRequest).failure();
    }
  }

  @Test
  void problemsAreTheExceptionsThatTheyWere() throws IOException {
    assertThat(failure(PUT, problem(404, "not-found")))
        .isInstanceOf(NotFoundException.class)
        .hasMessage("because");
    assertThat(failure(PUT, problem(410, "retracted"))).isInstanceOf(RetractedException.class);
    assertThat(failure(PUT, problem(403, "forbidden"))).isInstanceOf(StoreAccessException.class);
    assertThat(failure(PUT, problem(503, "stopping")))
        .isInstanceOf(StoreUnavailableException.class);
    TidemarkException other = failure(PUT, problem(422, "strange"));
    assertThat(other).isInstanceOf(ServerProblemException.class);
    assertThat(other.code()).isEqualTo("strange");
  }

  @Test
  void aTransactionThatNobodyKnowsOfIsToldWithWhatToAskBy() throws IOException {
    String told = problem(504, "outcome-unknown");
    assertThat(failure(PUT, told)).isInstanceOf(OutcomeUnknownException.class);
    String more = ",\"transaction\":\"17\",\"began\":\"now\"}";
    String named =
        "HTTP/1.1 504 X\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(
                told.length() - told.indexOf('{') - 1 + more.length(),
                told.substring(told.indexOf('{'), told.length() - 1) + more);
    assertThat(failure(PUT, named))
        .isInstanceOfSatisfying(
            CommitOutcomeUnknownException.class,
            unknown -> {
              assertThat(unknown.transaction()).isEqualTo("17");
              assertThat(unknown.began()).isEqualTo("now");
              assertThat(unknown).hasMessage("because");
            });
  }

  @Test
  void whatMayHaveHappenedIsUnknownAndWhatOnlyReadsIsNot() throws IOException {
    String foreign = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n";
    assertThat(failure(PUT, foreign)).isInstanceOf(OutcomeUnknownException.class);
    assertThat(failure(GET, foreign)).isInstanceOf(StoreUnavailableException.class);
    assertThat(failure(PUT, problem(500, "bug"))).isInstanceOf(OutcomeUnknownException.class);
    try (OneAnswer server = new OneAnswer("")) {
      ServerConnection serverConnection = server.connection();
      assertThatThrownBy(() -> serverConnection.send(PUT))
          .isInstanceOf(OutcomeUnknownException.class);
    }
    try (OneAnswer server = new OneAnswer("")) {
      ServerConnection serverConnection = server.connection();
      assertThatThrownBy(() -> serverConnection.send(GET))
          .isInstanceOf(StoreUnavailableException.class);
    }
  }

  @Test
  void whatCouldNotBeSentWasCertainlyNotDone() throws IOException {
    ServerConnection serverConnection;
    try (OneAnswer server = new OneAnswer("")) {
      serverConnection = server.connection();
    }
    assertThatThrownBy(() -> serverConnection.send(PUT))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("does it run there?");
  }

  @Test
  void eachStepOfAPathIsEncodedAndATokenIsInNoText() throws IOException {
    BearerToken bearerToken = BearerToken.of("tm_planted", "a test");
    try (OneAnswer server = new OneAnswer("HTTP/1.1 204 X\r\n\r\n")) {
      ServerConnection serverConnection = server.connection(Optional.of(bearerToken));
      assertThat(serverConnection.send(GET).status()).isEqualTo(204);
      assertThat(server.asked).startsWith("GET /v1/names/acme%2Fcrm:main HTTP/1.1");
      assertThat(server.asked).contains("Authorization: Bearer tm_planted");
      assertThat(serverConnection + " " + bearerToken + " " + GET).doesNotContain("planted");
    }
    assertThat(ServerRequest.get("a b", "..", "ü").query("q", "x&y=/").target())
        .isEqualTo("/a%20b/../%C3%BC?q=x%26y%3D%2F");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://me:planted@host",
        "http://planted@host:1/",
        "http://host?token=planted",
        "http://host?insecure=planted",
        "http:planted",
        "ftp://planted",
        "http://host/#planted",
        "http://ho st/planted"
      })
  void aWrongLocationIsRefusedAndNotRepeated(String location) {
    assertThatThrownBy(() -> ServerLocation.parse(location))
        .isInstanceOf(InvalidLocationException.class)
        .message()
        .doesNotContain("planted");
  }

  @Test
  void aLocationIsShownAsItWouldBeWritten() {
    assertThat(ServerLocation.parse("http://host:7700/")).hasToString("http://host:7700");
    assertThat(ServerLocation.parse("HTTPS://host/tidemark/?timeout=5s"))
        .hasToString("https://host/tidemark");
    assertThat(ServerLocation.parse("http://host?insecure=true"))
        .hasToString("http://host?insecure=true");
  }

  @Test
  void aTokenGoesOnlyWhereNobodyListens() {
    Optional<BearerToken> token = Optional.of(BearerToken.of("tm_planted", "a test"));
    for (String good :
        new String[] {
          "http://localhost:1",
          "http://127.0.0.1",
          "http://[::1]:1",
          "https://host",
          "http://host?insecure=true"
        }) {
      assertThat(new ServerConnection(ServerLocation.parse(good), token)).isNotNull();
    }
    for (String bad :
        new String[] {"http://host", "http://127.0.0.1.example.com", "http://10.0.0.1"}) {
      ServerLocation location = ServerLocation.parse(bad);
      assertThatThrownBy(() -> new ServerConnection(location, token))
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining("insecure=true");
    }
  }

  @Test
  void aTokenComesFromTheEnvironmentOrAFile(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "tm_file\n");
    assertThat(
            BearerToken.of(Map.of("TIDEMARK_TOKEN", "tm_env")::get).orElseThrow().authorization())
        .isEqualTo("Bearer tm_env");
    assertThat(
            BearerToken.of(Map.of("TIDEMARK_TOKEN_FILE", file.toString())::get)
                .orElseThrow()
                .authorization())
        .isEqualTo("Bearer tm_file");
    assertThat(BearerToken.of(Map.<String, String>of()::get)).isEmpty();
    Path wrong = Files.writeString(directory.resolve("wrong"), "planted two\n");
    assertThatThrownBy(() -> BearerToken.ofFile(wrong))
        .isInstanceOf(StoreAccessException.class)
        .message()
        .doesNotContain("planted");
    assertThatThrownBy(() -> BearerToken.ofFile(directory.resolve("none")))
        .isInstanceOf(StoreAccessException.class);
  }

  @Test
  void onlyLocationsOfServersAreTakenForThem() {
    assertThat(ServerLocation.isServerUrl("http://localhost:7700")).isTrue();
    assertThat(ServerLocation.isServerUrl("HTTPS://host")).isTrue();
    for (String other :
        List.of("httpd-data", "http", "https:x", "s3://http/x", "/srv/http://x", "file:///http")) {
      assertThat(ServerLocation.isServerUrl(other)).as(other).isFalse();
    }
  }
}
