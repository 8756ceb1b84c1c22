// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which JWT are believed. */
final class JwtTest {

  private static final String ISSUER = "https://issuer.example";
  private static final String AUDIENCE = "tidemark";
  private static final RequiredPermission READ =
      RequiredPermission.onAny(Action.READ, ResourceType.NAMES);
  private static RSAKey rsa;
  private static RSAKey foreign;
  private static ECKey ec;

  @TempDir Path directory;

  @BeforeAll
  static void keys() throws JOSEException {
    rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    foreign = new RSAKeyGenerator(2048).keyID("rsa").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
  }

  private AccessControl.Authenticator callers(String... algorithms) throws IOException {
    Path file = directory.resolve("keys.json");
    Files.writeString(file, new JWKSet(List.of(rsa, ec)).toPublicJWKSet().toString());
    return callers(new JwtSettings.KeyFile(file), algorithms);
  }

  private static AccessControl.Authenticator callers(JwtSettings.Keys keys, String... algorithms) {
    return JwtAuthenticator.of(new JwtSettings(keys, ISSUER, AUDIENCE, Set.of(algorithms)));
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .subject("alice")
        .issuer(ISSUER)
        .audience(AUDIENCE)
        .claim("scope", "openid read:names/acme/ write:nothing lock:names/acme/")
        .expirationTime(in(300));
  }

  private static Date in(int seconds) {
    return Date.from(Instant.now().plusSeconds(seconds));
  }

  private static String signed(
      JWSAlgorithm algorithm, String id, JWSSigner signer, JWTClaimsSet c) {
    try {
      SignedJWT jwt =
          new SignedJWT(
              new JWSHeader.Builder(algorithm).keyID(id).type(JOSEObjectType.JWT).build(), c);
      jwt.sign(signer);
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private static String good(UnaryOperator<JWTClaimsSet.Builder> change) throws JOSEException {
    return signed(JWSAlgorithm.RS256, "rsa", new RSASSASigner(rsa), change.apply(claims()).build());
  }

  @Test
  void whoeverItIsSignedForHasTheGrantsOfItsScope() throws Exception {
    Optional<Caller> alice = callers("RS256").authenticate(good(c -> c));
    assertThat(alice)
        .contains(
            Caller.ofSubject(
                "alice",
                "alice",
                List.of(
                    new Grant(Action.READ, ResourceType.NAMES, "acme/"),
                    new Grant(Action.LOCK, ResourceType.NAMES, "acme/"))));
    String es256 =
        signed(JWSAlgorithm.ES256, "ec", new ECDSASigner(ec), claims().subject("bob\n").build());
    assertThat(callers("RS256", "ES256").authenticate(es256).map(Caller::name)).contains("bob_");
  }

  /** Answers are kept by who asked for them, so those of one mustn't be told another. */
  @Test
  void nobodyIsTakenForAnotherOfTheSameName() throws Exception {
    Path file = directory.resolve("tokens");
    TokenRecord.NewToken newToken =
        TokenRecord.create("alice", Grant.parse("read:names"), Instant.now(), Optional.empty());
    new TokenFile(file).add(newToken.token());
    AccessControl accessControl = AccessControl.of(AccessSettings.none().withTokens(file));
    Caller token =
        accessControl.authorize(AuthRequest.with("Bearer " + newToken.secret()), READ, Map.of());
    Caller subject = callers("RS256").authenticate(good(c -> c)).orElseThrow();
    assertThat(token.name()).isEqualTo(subject.name());
    assertThat(token.identity()).isNotEqualTo(subject.identity());
    Caller one = callers("RS256").authenticate(good(c -> c.subject("a b"))).orElseThrow();
    Caller other = callers("RS256").authenticate(good(c -> c.subject("a\tb"))).orElseThrow();
    assertThat(one.name()).isEqualTo(other.name());
    assertThat(one.identity()).isNotEqualTo(other.identity());
  }

  @Test
  void keysThatCantBeHadAreNoFaultOfTheCaller() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    byte[] set = bytes(new JWKSet(rsa).toPublicJWKSet().toString());
    HttpServer issuer = issuer(exchange -> answer(exchange, away.get() ? 500 : 200, set));
    try {
      JwtSettings.KeySetUrl keys = new JwtSettings.KeySetUrl(url(issuer));
      AccessControl accessControl =
          AccessControl.of(
              AccessSettings.none()
                  .withJwt(new JwtSettings(keys, ISSUER, AUDIENCE, Set.of("RS256"))));
      AuthRequest alice = AuthRequest.with("Bearer " + good(c -> c));
      for (int i = 0; i < AuthFailureLimiter.ALLOWED + 5; i++) {
        ProblemException e =
            catchThrowableOfType(
                ProblemException.class, () -> accessControl.authorize(alice, READ, Map.of()));
        assertThat(e.problem().status()).isEqualTo(503);
        assertThat(e.code()).isEqualTo("unavailable");
        assertThat(e.headers()).containsEntry("Retry-After", "30");
      }
      ProblemException wrong =
          catchThrowableOfType(
              ProblemException.class,
              () -> accessControl.authorize(AuthRequest.with("Bearer x"), READ, Map.of()));
      assertThat(wrong.problem().status()).as("the first of its kind").isEqualTo(401);
    } finally {
      issuer.stop(0);
    }
  }

  /** A key that isn't known may be a new one, as long as nobody can ask. */
  @Test
  void anUnknownKeyIsNoFaultOfTheCallerWhileKeysCantBeHad() throws Exception {
    AtomicBoolean away = new AtomicBoolean(false);
    byte[] set = bytes(new JWKSet(rsa).toPublicJWKSet().toString());
    HttpServer issuer = issuer(exchange -> answer(exchange, away.get() ? 500 : 200, set));
    try {
      AccessControl.Authenticator authenticator =
          callers(new JwtSettings.KeySetUrl(url(issuer)), "RS256");
      assertThat(authenticator.authenticate(good(c -> c))).isPresent();
      away.set(true);
      String unknown =
          signed(JWSAlgorithm.RS256, "new", new RSASSASigner(foreign), claims().build());
      assertThatExceptionOfType(ProblemException.class)
          .isThrownBy(() -> authenticator.authenticate(unknown))
          .satisfies(e -> assertThat(e.problem().status()).isEqualTo(503));
      assertThat(authenticator.authenticate(good(c -> c))).as("known keys are kept").isPresent();
      assertThat(authenticator.authenticate(good(c -> c.expirationTime(in(-60))))).isEmpty();
    } finally {
      issuer.stop(0);
    }
  }

  private static HttpServer issuer(HttpHandler handler) throws IOException {
    HttpServer issuer =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer.createContext("/", handler);
    issuer.start();
    return issuer;
  }

  private static URI url(HttpServer issuer) {
    return URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + "/");
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  void onlyPinnedAlgorithmsAreTaken() throws Exception {
    String es256 = signed(JWSAlgorithm.ES256, "ec", new ECDSASigner(ec), claims().build());
    assertThat(callers("RS256").authenticate(es256)).isEmpty();
    assertThat(callers("RS512", "ES256").authenticate(good(c -> c))).isEmpty();
    for (String algorithm : List.of("none", "HS256", "HS512", "EdDSA", "rs256")) {
      assertThatExceptionOfType(InvalidAccessException.class)
          .isThrownBy(() -> callers(algorithm))
          .withMessageContaining("JWT can't be signed with " + algorithm);
    }
  }

  @Test
  void anUnsignedOneIsRefused() throws Exception {
    assertThat(callers("RS256").authenticate(new PlainJWT(claims().build()).serialize())).isEmpty();
    String[] parts = good(c -> c).split("\\.", -1);
    String none =
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes("{\"alg\":\"none\"}"));
    for (String token :
        List.of(
            none + "." + parts[1] + ".",
            none + "." + parts[1] + "." + parts[2],
            parts[0] + "." + parts[1] + ".",
            parts[0] + "." + parts[1],
            parts[0] + "." + parts[1] + "x." + parts[2],
            "..",
            "a.b.c")) {
      assertThat(callers("RS256").authenticate(token)).as(token).isEmpty();
    }
  }

  @Test
  void aPublicKeyIsNoSharedSecret() throws Exception {
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(rsa.toRSAPublicKey().getEncoded())
            + "\n-----END PUBLIC KEY-----\n";
    Path file = Files.writeString(directory.resolve("key.pem"), pem);
    for (byte[] secret :
        List.of(
            bytes(pem), rsa.toRSAPublicKey().getEncoded(), bytes(rsa.toPublicJWK().toString()))) {
      String confused = signed(JWSAlgorithm.HS256, "rsa", new MACSigner(secret), claims().build());
      assertThat(callers("RS256").authenticate(confused)).isEmpty();
      assertThat(callers(new JwtSettings.KeyFile(file), "RS256").authenticate(confused)).isEmpty();
    }
    assertThat(callers(new JwtSettings.KeyFile(file), "RS256").authenticate(good(c -> c)))
        .isPresent();
  }

  @Test
  void theKeyOfAnotherIsRefusedAlsoWhenTheTokenBringsIt() throws Exception {
    assertThat(
            callers("RS256")
                .authenticate(
                    signed(JWSAlgorithm.RS256, "rsa", new RSASSASigner(foreign), claims().build())))
        .isEmpty();
    SignedJWT brings =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256)
                .jwk(foreign.toPublicJWK())
                .jwkURL(URI.create("http://127.0.0.1:1/keys"))
                .build(),
            claims().build());
    brings.sign(new RSASSASigner(foreign));
    assertThat(callers("RS256").authenticate(brings.serialize())).isEmpty();
  }

  @Test
  void itsTimeIssuerAndAudienceAreHeldTo() throws Exception {
    AccessControl.Authenticator authenticator = callers("RS256");
    assertThat(authenticator.authenticate(good(c -> c.expirationTime(in(-10)))))
        .as("skew")
        .isPresent();
    assertThat(authenticator.authenticate(good(c -> c.expirationTime(in(-60))))).isEmpty();
    assertThat(authenticator.authenticate(good(c -> c.expirationTime(null)))).isEmpty();
    assertThat(authenticator.authenticate(good(c -> c.notBeforeTime(in(10)))))
        .as("skew")
        .isPresent();
    assertThat(authenticator.authenticate(good(c -> c.notBeforeTime(in(60))))).isEmpty();
    assertThat(authenticator.authenticate(good(c -> c.issuer("https://other.example")))).isEmpty();
    assertThat(authenticator.authenticate(good(c -> c.issuer(null)))).isEmpty();
    assertThat(authenticator.authenticate(good(c -> c.audience("another")))).isEmpty();
    assertThat(authenticator.authenticate(good(c -> c.audience((String) null)))).isEmpty();
    assertThat(authenticator.authenticate(good(c -> c.audience(List.of("another", AUDIENCE)))))
        .isPresent();
    assertThat(authenticator.authenticate(good(c -> c.subject(null)))).isEmpty();
    assertThat(authenticator.authenticate(good(c -> c.claim("scope", null))).map(Caller::grants))
        .contains(List.of());
  }

  @Test
  void keysAreFetchedOnceAndNotForEveryUnknownOne() throws Exception {
    AtomicInteger fetched = new AtomicInteger();
    byte[] set = bytes(new JWKSet(rsa).toPublicJWKSet().toString());
    HttpServer issuer =
        issuer(
            exchange -> {
              fetched.incrementAndGet();
              answer(exchange, 200, set);
            });
    try {
      AccessControl.Authenticator authenticator =
          callers(new JwtSettings.KeySetUrl(url(issuer)), "RS256");
      assertThat(authenticator.authenticate(good(c -> c))).isPresent();
      assertThat(authenticator.authenticate(good(c -> c))).isPresent();
      assertThat(fetched).hasValue(1);
      for (int i = 0; i < 10; i++) {
        String unknown =
            signed(JWSAlgorithm.RS256, "k" + i, new RSASSASigner(foreign), claims().build());
        assertThat(authenticator.authenticate(unknown)).isEmpty();
      }
      assertThat(fetched.get()).isLessThanOrEqualTo(2);
    } finally {
      issuer.stop(0);
    }
  }

  @Test
  void keysComeFromPlacesThatCanBeTrusted() throws IOException {
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> new JwtSettings.KeySetUrl(URI.create("http://issuer.example/keys")))
        .withMessageContaining("give an https URL");
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> new JwtSettings.KeySetUrl(URI.create("file:///etc/keys")));
    for (String text :
        List.of(
            "planted-nonsense",
            "{\"keys\":[{\"kty\":\"oct\",\"k\":\"cGxhbnRlZC1ub25zZW5zZQ\"}]}",
            "-----BEGIN PRIVATE KEY-----\ncGxhbnRlZA==\n-----END PRIVATE KEY-----")) {
      Path file = Files.writeString(directory.resolve("unusable"), text);
      assertThatExceptionOfType(InvalidAccessException.class)
          .isThrownBy(() -> callers(new JwtSettings.KeyFile(file), "RS256"))
          .withMessageContaining("no public keys to read")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("planted", "cGxh"));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
