// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.events.model.Event;
import io.tidemark.events.model.EventTypeFilter;
import io.tidemark.events.run.DeliveryCounts;
import io.tidemark.events.run.HandlerRegistration;
import io.tidemark.events.run.RunnerFixture;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses are connected to, and under which names. */
final class WebhookTargetTest {
  private static final WebhookSecret SECRET = WebhookSecret.of("a secret that nobody knows");
  private static final DeliveryCounts ACKED = new DeliveryCounts(1, 0, 0, 0, 0);
  private static final DeliveryCounts RELEASED = new DeliveryCounts(0, 1, 0, 0, 0);
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final RunnerFixture runnerFixture = new RunnerFixture();
  private final List<String> asked = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1"
      })
  void anAddressThatIsNotPublicIsRefused(String address) throws Exception {
    assertThat(AddressPolicy.PUBLIC.allows(InetAddress.getByName(address))).isFalse();
    assertThat(AddressPolicy.ANY.allows(InetAddress.getByName(address))).isTrue();
    String host = address.contains(":") ? "[" + address + "]" : address;
    assertThatThrownBy(
            () ->
                Webhook.to(
                    URI.create("http://" + host + ":8080/"), SECRET, WebhookOptions.standard()))
        .isInstanceOf(RefusedTargetException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "128.0.0.1",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "223.255.255.255",
        "64:ff9b::101:101",
        "2606:4700:4700::1111",
        "2a00:1450::1"
      })
  void anAddressThatIsPublicIsAllowed(String address) throws Exception {
    assertThat(AddressPolicy.PUBLIC.allows(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:///etc/passwd",
        "ftp://example.com/",
        "gopher://example.com/",
        "example.com/in",
        "http:///in",
        "http:in",
        "http://user:pass@example.com/",
        "http://example.com/#in",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/"
      })
  void whatIsNoAddressOfAReceiverIsRefused(String uri) {
    assertThatThrownBy(() -> Webhook.to(URI.create(uri), SECRET, WebhookOptions.standard()))
        .isInstanceOf(RefusedTargetException.class)
        .hasMessageNotContaining("pass@");
  }

  @Test
  void aNameThatMeansAPrivateAddressIsNotConnectedTo() throws Exception {
    try (Receiver receiver = Receiver.start()) {
      for (String addresses : List.of("127.0.0.1", "1.1.1.1 127.0.0.1", "127.0.0.1 1.1.1.1")) {
        Event event = runnerFixture.publish("x", 1);
        Webhook webhook =
            webhook(
                "http://hooks.example:" + receiver.port() + "/",
                WebhookOptions.standard(),
                addresses);

        assertThat(send(webhook)).isEqualTo(RELEASED);

        assertThat(receiver.calls()).isEmpty();
        assertThat(
                runnerFixture
                    .namespace()
                    .inspect(event.id())
                    .orElseThrow()
                    .claims()
                    .get(0)
                    .lastError())
            .hasValueSatisfying(
                error ->
                    assertThat(error)
                        .startsWith("RefusedTargetException: ")
                        .contains("127.0.0.1, which isn't a public address"));
      }
    }
  }

  @Test
  void whatIsConnectedToIsTheAddressThatWasChecked() throws Exception {
    try (Receiver receiver = Receiver.start()) {
      runnerFixture.publish("x", 1);
      String uri = "http://hooks.example:" + receiver.port() + "/in";

      assertThat(send(webhook(uri, any(), "127.0.0.1"))).isEqualTo(ACKED);

      // Nobody else knows that name, so nobody else has looked it up.
      assertThat(asked).containsExactly("hooks.example");
      assertThat(receiver.calls().get(0).host()).isEqualTo("hooks.example:" + receiver.port());
    }
  }

  @Test
  void aNameThatNobodyKnowsHasFailed() throws Exception {
    runnerFixture.publish("x", 1);
    assertThat(send(webhook("http://hooks.example/", any(), ""))).isEqualTo(RELEASED);
  }

  @Test
  void ofSeveralAddressesTheNextIsTakenAtTheNextAttempt() {
    WebhookTarget webhookTarget =
        new WebhookTarget(
            URI.create("https://hooks.example/a?b=c%20d"),
            AddressPolicy.PUBLIC,
            resolver("1.1.1.1 2606:4700::1"));
    assertThat(webhookTarget.pinned(1)).hasToString("https://1.1.1.1/a?b=c%20d");
    assertThat(webhookTarget.pinned(2)).hasToString("https://[2606:4700:0:0:0:0:0:1]/a?b=c%20d");
    assertThat(webhookTarget.pinned(3)).hasToString("https://1.1.1.1/a?b=c%20d");
  }

  @Test
  void aCertificateIsThatOfTheNameAndNotOfTheAddress(@TempDir Path dir) throws Exception {
    KeyStore keys = keys(dir, "hooks.example");
    HttpsServer server = HttpsServer.create(Receiver.loopback(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(keys)));
    try (Receiver receiver = new Receiver(server)) {
      String rest = ":" + receiver.port() + "/";
      runnerFixture.publish("x", 1);
      assertThat(send(webhook("https://hooks.example" + rest, any(), "127.0.0.1", tls(keys))))
          .isEqualTo(ACKED);
      runnerFixture.publish("x", 2);
      assertThat(send(webhook("https://other.example" + rest, any(), "127.0.0.1", tls(keys))))
          .isEqualTo(RELEASED);
      assertThat(receiver.calls()).hasSize(1);
    }
  }

  private static KeyStore keys(Path dir, String name) throws Exception {
    Path file = dir.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + name,
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static SSLContext tls(KeyStore keys) throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return tls;
  }

  private static WebhookOptions any() {
    return WebhookOptions.standard().withAddresses(AddressPolicy.ANY);
  }

  private Webhook webhook(String uri, WebhookOptions options, String addresses) {
    return webhook(uri, options, addresses, Webhook.newTls());
  }

  private Webhook webhook(String uri, WebhookOptions options, String addresses, SSLContext tls) {
    WebhookTarget webhookTarget =
        new WebhookTarget(URI.create(uri), options.addresses(), resolver(addresses));
    return new Webhook(
        webhookTarget, SECRET, options, new Webhook.Environment(Clock.systemUTC(), tls));
  }

  private HostResolver resolver(String addresses) {
    return host -> {
      asked.add(host);
      if (addresses.isEmpty()) {
        throw new UnknownHostException(host);
      }
      List<InetAddress> found = new ArrayList<>();
      for (String address : addresses.split(" ", -1)) {
        found.add(InetAddress.getByName(address));
      }
      return found;
    };
  }

  private DeliveryCounts send(Webhook webhook) throws InterruptedException {
    return runnerFixture
        .runner(HandlerRegistration.of("hook", EventTypeFilter.in("x"), webhook))
        .iterate();
  }
}
