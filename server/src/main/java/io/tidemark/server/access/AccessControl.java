// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import io.tidemark.objects.MonotonicTime;
import io.tidemark.server.access.AccessSettings.Risk;
import io.tidemark.server.problem.ProblemException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Access control: authenticates callers and is the only place that decides what they may do.
 * Everything that isn't granted is refused.
 *
 * <p>Access control without authentication is for a server that only its own machine can reach. A
 * browser on that machine runs scripts of foreign pages. So such a server accepts requests only
 * under a loopback host name, which defeats DNS rebinding, and refuses writes from pages of other
 * origins.
 */
public final class AccessControl {

  private static final Pattern BEARER = Pattern.compile("(?i)bearer +([A-Za-z0-9._~+/=-]+) *");
  private static final Pattern LOOPBACK =
      Pattern.compile("(?i)(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?");

  /** Authenticator of one kind of token. */
  interface Authenticator {

    /**
     * Returns the owner of a token; empty if the token isn't valid.
     *
     * @throws ProblemException if the token can't be checked at the moment
     */
    Optional<Caller> authenticate(String token);
  }

  private enum Mode {
    ASKS,
    OWN_MACHINE,
    ANYBODY
  }

  private final Mode mode;
  private final List<Authenticator> callers;
  private final AuthFailureLimiter failed;
  private final Set<Origin> origins;

  private AccessControl(
      Mode mode, List<Authenticator> callers, Set<Origin> origins, AuthFailureLimiter failed) {
    this.origins = origins;
    this.mode = mode;
    this.callers = List.copyOf(callers);
    this.failed = failed;
  }

  /**
   * Returns access control without authentication, for a server that only its own machine can
   * reach.
   */
  public static AccessControl localOnly() {
    return new AccessControl(
        Mode.OWN_MACHINE, List.of(), Set.of(), new AuthFailureLimiter(MonotonicTime.system()));
  }

  /** Returns the access control that the settings describe. */
  public static AccessControl of(AccessSettings settings) {
    return of(settings, Clock.systemUTC(), MonotonicTime.system());
  }

  static AccessControl of(AccessSettings settings, Clock clock, MonotonicTime time) {
    List<Authenticator> callers = new ArrayList<>();
    settings
        .tokens()
        .ifPresent(
            file ->
                callers.add(
                    new TokenAuthenticator(
                        new TokenFile(file, settings.accepted().contains(Risk.SHARED_TOKEN_FILE)),
                        settings.jwt().isPresent(),
                        clock,
                        time)));
    settings.jwt().ifPresent(jwt -> callers.add(JwtAuthenticator.of(jwt)));
    Mode unasked =
        settings.accepted().contains(Risk.ANYBODY_FROM_ANYWHERE) ? Mode.ANYBODY : Mode.OWN_MACHINE;
    return new AccessControl(
        callers.isEmpty() ? unasked : Mode.ASKS,
        callers,
        settings.origins(),
        new AuthFailureLimiter(time));
  }

  /**
   * Returns whether the server authenticates no callers and so must be reachable only from its own
   * machine.
   */
  public boolean isLocalOnly() {
    return mode == Mode.OWN_MACHINE;
  }

  /**
   * Authenticates and authorizes a request, or throws the problem that refuses it.
   *
   * @param requiredPermission of the route
   * @param parameters the steps of its path
   * @return the caller of the request
   */
  public Caller authorize(
      AuthRequest authRequest,
      RequiredPermission requiredPermission,
      Map<String, String> parameters) {
    // Failures of other clients behind the same address never delay a valid token.
    return authorize(
        authRequest,
        requiredPermission,
        parameters,
        () -> failed.recordFailure(authRequest.address()));
  }

  /**
   * Authorizes a request in progress once more. A token that has become invalid meanwhile doesn't
   * count as a failed authentication.
   */
  public Caller reauthorize(
      AuthRequest authRequest,
      RequiredPermission requiredPermission,
      Map<String, String> parameters) {
    return authorize(
        authRequest,
        requiredPermission,
        parameters,
        () -> AccessProblems.unauthenticated(AccessProblems.Reason.BAD_TOKEN));
  }

  private Caller authorize(
      AuthRequest authRequest,
      RequiredPermission requiredPermission,
      Map<String, String> parameters,
      Supplier<ProblemException> invalid) {
    if (mode == Mode.OWN_MACHINE) {
      requireSameOrigin(authRequest);
    }
    if (requiredPermission.action().isEmpty()) {
      Caller unasked = mode == Mode.ASKS ? Caller.anonymous() : Caller.unrestricted();
      return mode == Mode.ASKS && requiredPermission.equals(RequiredPermission.authenticated())
          ? authenticate(authRequest, invalid)
          : unasked;
    }
    Caller caller = mode == Mode.ASKS ? authenticate(authRequest, invalid) : Caller.unrestricted();
    require(caller, requiredPermission, parameters);
    return caller;
  }

  private void requireSameOrigin(AuthRequest authRequest) {
    String host = authRequest.host().orElse("");
    if (!LOOPBACK.matcher(host).matches()) {
      throw AccessProblems.crossOrigin("the host", host);
    }
    if (authRequest.writes()) {
      Optional<String> foreign =
          authRequest
              .origin()
              .filter(
                  origin -> Origin.parse(origin).filter(allowedOrigins(host)::contains).isEmpty());
      foreign.ifPresent(
          origin -> {
            throw AccessProblems.crossOrigin("the origin", origin);
          });
    }
  }

  /** Returns the origins whose pages may write: the allowed ones and this server's own. */
  private Set<Origin> allowedOrigins(String host) {
    Set<Origin> own = new HashSet<>(origins);
    Origin.parse("http://" + host).ifPresent(own::add);
    return own;
  }

  private Caller authenticate(AuthRequest authRequest, Supplier<ProblemException> invalid) {
    if (authRequest.authorization().isEmpty()) {
      throw AccessProblems.unauthenticated(AccessProblems.Reason.NO_TOKEN);
    }
    Matcher bearer = BEARER.matcher(authRequest.authorization().get());
    Optional<Caller> caller =
        bearer.matches()
            ? callers.stream()
                .flatMap(some -> some.authenticate(bearer.group(1)).stream())
                .findFirst()
            : Optional.empty();
    return caller.orElseThrow(invalid);
  }

  private static void require(
      Caller caller, RequiredPermission requiredPermission, Map<String, String> parameters) {
    Optional<String> name = requiredPermission.parameter().map(parameters::get);
    if (requiredPermission.parameter().isPresent() && name.isEmpty()) {
      throw new IllegalStateException("the route needs a grant for a step it doesn't have");
    }
    if (requiredPermission.actions().stream()
        .noneMatch(action -> may(caller, action, requiredPermission, name))) {
      throw name.isPresent()
          ? AccessProblems.of(caller, requiredPermission, name.get())
          : AccessProblems.ofSome(caller, requiredPermission);
    }
  }

  private static boolean may(
      Caller caller, Action action, RequiredPermission requiredPermission, Optional<String> name) {
    return name.isPresent()
        ? caller.may(action, requiredPermission.resourceType(), name.get())
        : requiredPermission.realms().stream()
            .anyMatch(resourceType -> caller.mayOnAny(action, resourceType));
  }
}
