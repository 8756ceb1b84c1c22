// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.server.problem.ProblemException;
import io.tidemark.testkit.objects.FakeTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AccessControlTest {

  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
  private static final RequiredPermission READ =
      RequiredPermission.of(Action.READ, ResourceType.NAMES, "address");
  private static final RequiredPermission WRITE =
      RequiredPermission.of(Action.WRITE, ResourceType.NAMES, "address");
  private static final Map<String, String> CRM = Map.of("address", "acme/crm:main");
  private static final Map<String, String> OTHER = Map.of("address", "other:main");

  @TempDir Path directory;
  private final FakeTime time = new FakeTime();
  private TokenFile tokens;
  private String secret;
  private AccessControl accessControl;

  @BeforeEach
  void open() {
    Path file = directory.resolve("tokens");
    tokens = new TokenFile(file);
    secret = create("reader", "read:names/acme/", Optional.empty());
    accessControl = gate(AccessSettings.none().withTokens(file));
  }

  private AccessControl gate(AccessSettings settings) {
    return AccessControl.of(settings, Clock.fixed(NOW, ZoneOffset.UTC), time);
  }

  private String create(String name, String grant, Optional<Instant> expires) {
    TokenRecord.NewToken newToken = TokenRecord.create(name, Grant.parse(grant), NOW, expires);
    tokens.add(newToken.token());
    return newToken.secret();
  }

  private Caller read(String token) {
    return accessControl.authorize(AuthRequest.with("Bearer " + token), READ, CRM);
  }

  private static ProblemException refused(Runnable request) {
    ProblemException e = catchThrowableOfType(ProblemException.class, request::run);
    assertThat(e).isNotNull();
    return e;
  }

  @Test
  void whoHasTheTokenIsItsOwner() {
    assertThat(read(secret)).isEqualTo(Caller.ofToken("reader", Grant.parse("read:names/acme/")));
    assertThat(accessControl.authorize(AuthRequest.with("bearer  " + secret), READ, CRM).name())
        .isEqualTo("reader");
  }

  @Test
  void whatLastsIsAskedAboutAgainAndIsNoAttempt() {
    AuthRequest authRequest = AuthRequest.with("Bearer " + secret);
    assertThat(accessControl.reauthorize(authRequest, READ, CRM)).isEqualTo(read(secret));
    tokens.remove("reader");
    time.advance(Duration.ofSeconds(2));
    for (int i = 0; i <= AuthFailureLimiter.ALLOWED; i++) {
      assertThat(
              refused(() -> accessControl.reauthorize(authRequest, READ, CRM)).problem().status())
          .isEqualTo(401);
    }
    assertThat(refused(() -> read(secret)).problem().status()).isEqualTo(401);
  }

  @Test
  void whoHasNoneIsAskedForIt() {
    AuthRequest authRequest =
        new AuthRequest("127.0.0.1", Optional.empty(), Optional.empty(), Optional.empty(), false);
    ProblemException e = refused(() -> accessControl.authorize(authRequest, READ, CRM));
    assertThat(e.problem().status()).isEqualTo(401);
    assertThat(e.code()).isEqualTo("unauthenticated");
    assertThat(e.headers()).containsEntry("WWW-Authenticate", "Bearer realm=\"tidemark\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer ", "Bearer x", "Basic dXNlcjpwYXNz", "Bearer tm__", "Bearer tm_000000000000_x",
        "Bearer ../../etc/passwd", "Bearer a b", "Bearer \u00e4", "tm", "Bearer tm_' OR 1=1_x"
      })
  void whatIsNoTokenIsRefusedLikeAWrongOne(String header) {
    ProblemException e =
        refused(() -> accessControl.authorize(AuthRequest.with(header), READ, CRM));
    ProblemException wrong = refused(() -> read("tm_0123456789ab_" + "A".repeat(43)));
    assertThat(e.problem()).isEqualTo(wrong.problem());
    assertThat(e.headers())
        .isEqualTo(wrong.headers())
        .containsEntry("WWW-Authenticate", "Bearer realm=\"tidemark\", error=\"invalid_token\"");
  }

  @Test
  void aNameOutOfReachIsAbsentToWhoReadsAndForbiddenToWhoWrites() {
    ProblemException read =
        refused(() -> accessControl.authorize(AuthRequest.with("Bearer " + secret), READ, OTHER));
    assertThat(read.problem().status()).isEqualTo(404);
    assertThat(read.code()).isEqualTo("not-found");
    assertThat(read).hasMessage("there is no other:main; check the address, or create it");
    ProblemException write =
        refused(() -> accessControl.authorize(AuthRequest.with("Bearer " + secret), WRITE, CRM));
    assertThat(write.problem().status()).isEqualTo(403);
    assertThat(write.code()).isEqualTo("forbidden");
    assertThat(write)
        .hasMessage(
            "reader may not do this, which takes the grant write:names/acme/crm:main; ask who runs"
                + " the server for it");
  }

  @Test
  void aRefusalNamesTheNarrowestGrantsThatWillDo() {
    assertThat(
            forbidden(
                RequiredPermission.onAny(Action.WRITE, ResourceType.NAMES, ResourceType.EVENTS)))
        .contains("takes the grant write:names/NAME or write:events/NAME for the NAME that is");
    assertThat(forbidden(RequiredPermission.admin())).contains("takes the grant admin:server;");
    RequiredPermission push =
        RequiredPermission.anyOf(
            EnumSet.of(Action.WRITE, Action.LOCK), ResourceType.NAMES, "address");
    assertThat(forbidden(push))
        .contains("takes the grant write:names/acme/crm:main or lock:names/acme/crm:main;");
  }

  private String forbidden(RequiredPermission requiredPermission) {
    return String.valueOf(
        refused(
                () ->
                    accessControl.authorize(
                        AuthRequest.with("Bearer " + secret), requiredPermission, CRM))
            .getMessage());
  }

  @Test
  void aListingIsForWhoMayReadSomeAndWhatAnybodyMayKnowTakesNoToken() {
    AuthRequest authRequest = AuthRequest.with("Bearer " + secret);
    assertThat(
            accessControl
                .authorize(
                    authRequest,
                    RequiredPermission.onAny(Action.READ, ResourceType.NAMES),
                    Map.of())
                .name())
        .isEqualTo("reader");
    assertThat(
            refused(
                    () ->
                        accessControl.authorize(
                            authRequest,
                            RequiredPermission.onAny(Action.READ, ResourceType.EVENTS),
                            Map.of()))
                .code())
        .isEqualTo("forbidden");
    assertThat(
            refused(
                    () ->
                        accessControl.authorize(authRequest, RequiredPermission.admin(), Map.of()))
                .code())
        .isEqualTo("forbidden");
    Caller nobody =
        accessControl.authorize(AuthRequest.with("nonsense"), RequiredPermission.none(), Map.of());
    assertThat(nobody.grants()).isEmpty();
  }

  @Test
  void aTokenEndsWhenItExpires() {
    String ended = create("ended", "read:names", Optional.of(NOW));
    String lasting = create("lasting", "read:names", Optional.of(NOW.plusSeconds(1)));
    time.advance(Duration.ofSeconds(2));
    assertThat(refused(() -> read(ended)).code()).isEqualTo("unauthenticated");
    assertThat(read(lasting).name()).isEqualTo("lasting");
  }

  @Test
  void theFileIsReadAgainWhenItChanges() throws IOException {
    String second = create("second", "read:names", Optional.empty());
    assertThat(refused(() -> read(second)).code()).isEqualTo("unauthenticated");
    time.advance(Duration.ofSeconds(2));
    assertThat(read(second).name()).isEqualTo("second");

    tokens.remove("second");
    time.advance(Duration.ofSeconds(2));
    assertThat(refused(() -> read(second)).code()).isEqualTo("unauthenticated");
    assertThat(read(secret).name()).isEqualTo("reader");

    Path file = directory.resolve("tokens");
    Files.writeString(file, "a slip");
    time.advance(Duration.ofSeconds(2));
    assertThat(read(secret).name()).isEqualTo("reader");

    Files.delete(file);
    time.advance(Duration.ofSeconds(2));
    assertThat(refused(() -> read(secret)).code()).isEqualTo("unauthenticated");
  }

  @Test
  void whoTriesManyTokensIsToldToStopButNobodyElse() {
    for (int i = 0; i < AuthFailureLimiter.ALLOWED; i++) {
      assertThat(refused(() -> read("wrong")).problem().status()).isEqualTo(401);
    }
    ProblemException stop = refused(() -> read("wrong"));
    assertThat(stop.problem().status()).isEqualTo(429);
    assertThat(stop.code()).isEqualTo("too-many-attempts");
    assertThat(stop.headers()).containsEntry("Retry-After", "60");

    assertThat(read(secret).name()).isEqualTo("reader");
    assertThat(
            refused(() -> accessControl.authorize(from("10.0.0.9"), READ, CRM)).problem().status())
        .isEqualTo(401);
    time.advance(Duration.ofSeconds(61));
    assertThat(refused(() -> read("wrong")).problem().status()).isEqualTo(401);
  }

  @Test
  void theAddressesOfOneNetworkAreOne() {
    for (int i = 0; i < AuthFailureLimiter.ALLOWED; i++) {
      AuthRequest authRequest = from("2001:db8:1:2::" + Integer.toHexString(i + 1));
      assertThat(refused(() -> accessControl.authorize(authRequest, READ, CRM)).problem().status())
          .isEqualTo(401);
    }
    assertThat(refused(() -> accessControl.authorize(from("2001:db8:1:2:3::4"), READ, CRM)).code())
        .isEqualTo("too-many-attempts");
    assertThat(refused(() -> accessControl.authorize(from("2001:db8:1:3::1"), READ, CRM)).code())
        .isEqualTo("unauthenticated");
  }

  private static AuthRequest from(String address) {
    return new AuthRequest(
        address, Optional.of("Bearer wrong"), Optional.empty(), Optional.empty(), false);
  }

  @Test
  void anOpenGateLetsOnlyItsOwnMachineIn() {
    AccessControl open = AccessControl.localOnly();
    assertThat(open.isLocalOnly()).isTrue();
    for (String host : new String[] {"localhost", "LOCALHOST:80", "127.0.0.1:7700", "[::1]:1"}) {
      assertThat(open.authorize(browser(host, null, true), WRITE, CRM))
          .isEqualTo(Caller.unrestricted());
    }
    for (String host :
        new String[] {"evil.example", "127.0.0.1.evil.example", "localhost.evil:80", "", "[::2]"}) {
      assertThat(refused(() -> open.authorize(browser(host, null, false), READ, CRM)).code())
          .isEqualTo("forbidden-host");
    }
  }

  @Test
  void anOpenGateRefusesWritesOfForeignPages() {
    AccessControl open = AccessControl.localOnly();
    String host = "127.0.0.1:7700";
    assertThat(open.authorize(browser(host, "http://127.0.0.1:7700", true), WRITE, CRM))
        .isNotNull();
    assertThat(open.authorize(browser(host, "https://evil.example", false), READ, CRM)).isNotNull();
    for (String origin :
        new String[] {"https://evil.example", "null", "http://127.0.0.1:3000", ""}) {
      assertThat(refused(() -> open.authorize(browser(host, origin, true), WRITE, CRM)).code())
          .isEqualTo("forbidden-host");
    }
  }

  @Test
  void aGateThatAsksDoesNotMindTheHost() {
    AuthRequest authRequest =
        new AuthRequest(
            "10.0.0.1",
            Optional.of("Bearer " + secret),
            Optional.of("tidemark.example"),
            Optional.of("https://console.example"),
            true);
    assertThat(accessControl.isLocalOnly()).isFalse();
    assertThat(accessControl.authorize(authRequest, READ, CRM).name()).isEqualTo("reader");
  }

  private static AuthRequest browser(
      String host, @org.jspecify.annotations.Nullable String origin, boolean writes) {
    return new AuthRequest(
        "127.0.0.1", Optional.empty(), Optional.of(host), Optional.ofNullable(origin), writes);
  }
}
