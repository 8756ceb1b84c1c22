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
 * Tells who calls, and decides what they may do: nobody else does. What isn't granted is refused.
 *
 * <p>A gate that asks nobody is for a server that only its own machine can reach. Since a browser
 * on that machine runs the scripts of others, such a gate holds requests to the name by which they
 * reach the server, so that no foreign name can be pointed at it, and refuses writes that come from
 * the pages of others.
 */
public final class AccessControl {

  private static final Pattern BEARER = Pattern.compile("(?i)bearer +([A-Za-z0-9._~+/=-]+) *");
  private static final Pattern LOOPBACK =
      Pattern.compile("(?i)(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?");

  /** Knows some tokens. */
  interface Authenticator {

    /**
     * Whose token it is; empty when it isn't valid.
     *
     * @throws ProblemException when that can't be told for the moment
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

  /** Asks nobody who they are; for a server that only its own machine can reach. */
  public static AccessControl localOnly() {
    return new AccessControl(
        Mode.OWN_MACHINE, List.of(), Set.of(), new AuthFailureLimiter(MonotonicTime.system()));
  }

  /** As the settings say. */
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

  /** Returns whether only those get in whom somebody else must not be able to reach. */
  public boolean isLocalOnly() {
    return mode == Mode.OWN_MACHINE;
  }

  /**
   * Lets a request in, or ends it.
   *
   * @param requiredPermission of the route
   * @param parameters the steps of its path
   * @return who makes it
   */
  public Caller authorize(
      AuthRequest authRequest,
      RequiredPermission requiredPermission,
      Map<String, String> parameters) {
    // A valid token is never held up by what others behind the same address have sent.
    return authorize(
        authRequest,
        requiredPermission,
        parameters,
        () -> failed.recordFailure(authRequest.address()));
  }

  /**
   * The same for a request that was let in and still lasts; that its token isn't valid any more is
   * no attempt to guess one.
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

  /** Returns the origins whose pages may write: those that are allowed, and this server's own. */
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
