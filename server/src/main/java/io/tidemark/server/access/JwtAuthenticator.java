// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.BadJWSException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.tidemark.server.access.JwtSettings.KeyFile;
import io.tidemark.server.access.JwtSettings.KeySetUrl;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticator of JWT that are signed with a key of the settings, for its audience, from its
 * issuer and within their validity. A token can only name a key, never supply one or tell where to
 * fetch it. Grants come from {@code scope}; scopes of other services are ignored.
 */
final class JwtAuthenticator implements AccessControl.Authenticator {

  private static final Logger LOG = LoggerFactory.getLogger(JwtAuthenticator.class);
  private static final Duration SKEW = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration BETWEEN_FETCHES = Duration.ofMinutes(1);
  private static final Duration KEPT = Duration.ofMinutes(15);
  private static final Duration KEPT_IN_OUTAGE = Duration.ofHours(4);
  private static final int KEY_SET_BYTES = 256 << 10;
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");
  private static final Pattern UNPRINTABLE = Pattern.compile("[^A-Za-z0-9._@:|/-]");
  private static final int LONGEST_NAME = 128;

  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  /** Tells whether keys of the issuer may be missing, since the last fetch failed. */
  private final BooleanSupplier withoutKeys;

  private JwtAuthenticator(
      JwtSettings settings, JWSKeySelector<SecurityContext> keys, BooleanSupplier withoutKeys) {
    this.withoutKeys = withoutKeys;
    processor.setJWSKeySelector(keys);
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            settings.audience(),
            new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
            Set.of("exp", "sub"));
    claims.setMaxClockSkew((int) SKEW.toSeconds());
    processor.setJWTClaimsSetVerifier(claims);
  }

  static JwtAuthenticator of(JwtSettings settings) {
    Set<JWSAlgorithm> algorithms =
        settings.algorithms().stream()
            .map(JWSAlgorithm::parse)
            .collect(Collectors.toUnmodifiableSet());
    if (settings.keys() instanceof KeySetUrl url) {
      ObservedKeySource observedKeySource = fetches(url);
      return new JwtAuthenticator(
          settings,
          new JWSVerificationKeySelector<>(algorithms, cached(observedKeySource)),
          observedKeySource::lastFetchFailed);
    }
    Path file = ((KeyFile) settings.keys()).file();
    return new JwtAuthenticator(settings, ofFile(file, algorithms), () -> false);
  }

  private static JWKSource<SecurityContext> cached(ObservedKeySource observedKeySource) {
    return JWKSourceBuilder.create(observedKeySource)
        .cache(KEPT.toMillis(), PATIENCE.multipliedBy(2).toMillis())
        .rateLimited(BETWEEN_FETCHES.toMillis())
        .outageTolerant(KEPT_IN_OUTAGE.toMillis())
        .build();
  }

  private static ObservedKeySource fetches(KeySetUrl keys) {
    int patience = (int) PATIENCE.toMillis();
    try {
      return new ObservedKeySource(
          new URLBasedJWKSetSource<>(
              keys.url().toURL(), new DefaultResourceRetriever(patience, patience, KEY_SET_BYTES)));
    } catch (MalformedURLException e) {
      throw new InvalidAccessException("the keys of JWT can't be fetched from " + keys.url());
    }
  }

  private static JWSKeySelector<SecurityContext> ofFile(Path file, Set<JWSAlgorithm> algorithms) {
    try {
      String text = Files.readString(file);
      Matcher pem = PEM.matcher(text);
      if (pem.find()) {
        PublicKey key = publicKey(pem.group(1), pem.group(2), file);
        return (header, context) ->
            algorithms.contains(header.getAlgorithm()) ? List.of(key) : List.of();
      }
      JWKSet set = JWKSet.parse(text).toPublicJWKSet();
      if (set.isEmpty()) {
        throw unusable(file);
      }
      return new JWSVerificationKeySelector<>(algorithms, new ImmutableJWKSet<>(set));
    } catch (IOException | ParseException e) {
      // The message leaves out the content of the file, which may be a private key.
      throw unusable(file);
    }
  }

  private static PublicKey publicKey(String kind, String base64, Path file) {
    if (!kind.equals("PUBLIC KEY")) {
      throw unusable(file);
    }
    X509EncodedKeySpec spec = new X509EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
    for (String algorithm : List.of("RSA", "EC")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePublic(spec);
      } catch (GeneralSecurityException e) {
        LOG.debug("the key in {} isn't of the kind {}", file, algorithm);
      }
    }
    throw unusable(file);
  }

  private static InvalidAccessException unusable(Path file) {
    return new InvalidAccessException(
        "there are no public keys to read in %s; give a set of keys in JSON (JWKS), or one RSA or"
                .formatted(file)
            + " EC key in PEM, which begins with \"BEGIN PUBLIC KEY\"");
  }

  @Override
  public Optional<Caller> authenticate(String token) {
    try {
      JWTClaimsSet claims = processor.process(SignedJWT.parse(token), null);
      String subject = String.valueOf(claims.getSubject());
      return Optional.of(Caller.ofSubject(subject, name(subject), grants(claims)));
    } catch (BadJWSException | BadJWTException e) {
      LOG.debug("a JWT was refused: {}", e.getClass().getSimpleName());
    } catch (BadJOSEException | KeySourceException e) {
      // No key matches, but the token may be valid: the key set can't be fetched.
      if (withoutKeys.getAsBoolean()) {
        throw AccessProblems.keysUnavailable();
      }
      LOG.debug("a JWT was refused: {}", e.getClass().getSimpleName());
    } catch (ParseException | JOSEException e) {
      LOG.debug("a JWT was refused: {}", e.getClass().getSimpleName());
    }
    return Optional.empty();
  }

  /** Returns the subject, shortened and with characters that are unsafe in logs replaced. */
  private static String name(String subject) {
    String harmless = UNPRINTABLE.matcher(subject).replaceAll("_");
    return harmless.substring(0, Math.min(harmless.length(), LONGEST_NAME));
  }

  /** Key source that records whether the last fetch failed. */
  private static final class ObservedKeySource implements JWKSetSource<SecurityContext> {
    private final JWKSetSource<SecurityContext> from;
    private volatile boolean failed;

    ObservedKeySource(JWKSetSource<SecurityContext> from) {
      this.from = from;
    }

    boolean lastFetchFailed() {
      return failed;
    }

    @Override
    public JWKSet getJWKSet(
        JWKSetCacheRefreshEvaluator evaluator, long now, SecurityContext context)
        throws KeySourceException {
      try {
        JWKSet keys = from.getJWKSet(evaluator, now, context);
        failed = false;
        return keys;
      } catch (KeySourceException e) {
        failed = true;
        // Logged at most twice a minute, since keys are fetched no more often.
        LOG.warn("the keys of JWT can't be had: {}", e.getMessage());
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      from.close();
    }
  }

  private static List<Grant> grants(JWTClaimsSet claims) throws ParseException {
    Object scope = claims.getClaim("scope");
    Stream<String> words =
        scope instanceof List<?> list
            ? list.stream().map(String::valueOf)
            : Stream.of(String.valueOf(scope).split(" "));
    List<Grant> grants = new ArrayList<>();
    words.forEach(
        word -> {
          try {
            grants.addAll(Grant.parse(word));
          } catch (InvalidAccessException e) {
            LOG.debug("a scope of a JWT is none of ours");
          }
        });
    return grants;
  }
}
