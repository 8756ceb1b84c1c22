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
public final class Gate {

  private static final Pattern BEARER = Pattern.compile("(?i)bearer +([A-Za-z0-9._~+/=-]+) *");
  private static final Pattern LOOPBACK =
      Pattern.compile("(?i)(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?");

  /** Knows some tokens. */
  interface Callers {

    /**
     * Whose token it is; empty when it isn't valid.
     *
     * @throws ProblemException when that can't be told for the moment
     */
    Optional<Caller> find(String token);
  }

  private enum Mode {
    ASKS,
    OWN_MACHINE,
    ANYBODY
  }

  private final Mode mode;
  private final List<Callers> callers;
  private final FailedAttempts failed;
  private final Set<Origin> origins;

  private Gate(Mode mode, List<Callers> callers, Set<Origin> origins, FailedAttempts failed) {
    this.origins = origins;
    this.mode = mode;
    this.callers = List.copyOf(callers);
    this.failed = failed;
  }

  /** Asks nobody who they are; for a server that only its own machine can reach. */
  public static Gate open() {
    return new Gate(
        Mode.OWN_MACHINE, List.of(), Set.of(), new FailedAttempts(MonotonicTime.system()));
  }

  /** As the settings say. */
  public static Gate of(AccessSettings settings) {
    return of(settings, Clock.systemUTC(), MonotonicTime.system());
  }

  static Gate of(AccessSettings settings, Clock clock, MonotonicTime time) {
    List<Callers> callers = new ArrayList<>();
    settings
        .tokens()
        .ifPresent(
            file ->
                callers.add(
                    new TokenCallers(
                        new TokenFile(file, settings.accepted().contains(Risk.SHARED_TOKEN_FILE)),
                        settings.jwt().isPresent(),
                        clock,
                        time)));
    settings.jwt().ifPresent(jwt -> callers.add(JwtCallers.of(jwt)));
    Mode unasked =
        settings.accepted().contains(Risk.ANYBODY_FROM_ANYWHERE) ? Mode.ANYBODY : Mode.OWN_MACHINE;
    return new Gate(
        callers.isEmpty() ? unasked : Mode.ASKS,
        callers,
        settings.origins(),
        new FailedAttempts(time));
  }

  /** Whether only those get in whom somebody else must not be able to reach. */
  public boolean isForOwnMachine() {
    return mode == Mode.OWN_MACHINE;
  }

  /**
   * Lets a request in, or ends it.
   *
   * @param need of the route
   * @param parameters the steps of its path
   * @return who makes it
   */
  public Caller admit(Knock knock, Need need, Map<String, String> parameters) {
    // A valid token is never held up by what others behind the same address have sent.
    return admit(knock, need, parameters, () -> failed.refusal(knock.address()));
  }

  /**
   * The same for a request that was let in and still lasts; that its token isn't valid any more is
   * no attempt to guess one.
   */
  public Caller admitAgain(Knock knock, Need need, Map<String, String> parameters) {
    return admit(knock, need, parameters, () -> Refusal.unauthenticated(Refusal.Why.BAD_TOKEN));
  }

  private Caller admit(
      Knock knock, Need need, Map<String, String> parameters, Supplier<ProblemException> invalid) {
    if (mode == Mode.OWN_MACHINE) {
      refuseForeign(knock);
    }
    if (need.action().isEmpty()) {
      Caller unasked = mode == Mode.ASKS ? Caller.nobody() : Caller.anybody();
      return mode == Mode.ASKS && need.equals(Need.known()) ? known(knock, invalid) : unasked;
    }
    Caller caller = mode == Mode.ASKS ? known(knock, invalid) : Caller.anybody();
    require(caller, need, parameters);
    return caller;
  }

  private void refuseForeign(Knock knock) {
    String host = knock.host().orElse("");
    if (!LOOPBACK.matcher(host).matches()) {
      throw Refusal.foreign("the host", host);
    }
    if (knock.writes()) {
      Optional<String> foreign =
          knock
              .origin()
              .filter(origin -> Origin.parse(origin).filter(own(host)::contains).isEmpty());
      foreign.ifPresent(
          origin -> {
            throw Refusal.foreign("the origin", origin);
          });
    }
  }

  /** Returns the origins whose pages may write: those that are allowed, and this server's own. */
  private Set<Origin> own(String host) {
    Set<Origin> own = new HashSet<>(origins);
    Origin.parse("http://" + host).ifPresent(own::add);
    return own;
  }

  private Caller known(Knock knock, Supplier<ProblemException> invalid) {
    if (knock.authorization().isEmpty()) {
      throw Refusal.unauthenticated(Refusal.Why.NO_TOKEN);
    }
    Matcher bearer = BEARER.matcher(knock.authorization().get());
    Optional<Caller> caller =
        bearer.matches()
            ? callers.stream().flatMap(some -> some.find(bearer.group(1)).stream()).findFirst()
            : Optional.empty();
    return caller.orElseThrow(invalid);
  }

  private static void require(Caller caller, Need need, Map<String, String> parameters) {
    Optional<String> name = need.parameter().map(parameters::get);
    if (need.parameter().isPresent() && name.isEmpty()) {
      throw new IllegalStateException("the route needs a grant for a step it doesn't have");
    }
    if (need.actions().stream().noneMatch(action -> may(caller, action, need, name))) {
      throw name.isPresent() ? Refusal.of(caller, need, name.get()) : Refusal.ofSome(caller, need);
    }
  }

  private static boolean may(Caller caller, Action action, Need need, Optional<String> name) {
    return name.isPresent()
        ? caller.may(action, need.realm(), name.get())
        : need.realms().stream().anyMatch(realm -> caller.maySome(action, realm));
  }
}
