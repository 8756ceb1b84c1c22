// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.Optional;
import java.util.Set;

/**
 * What the caller of a route must be allowed to do.
 *
 * @param actions any of which will do; which it takes the endpoint says then. None for what anybody
 *     may know, or whoever is known
 * @param realms whose names are meant: of one realm, or of any of several
 * @param parameter the step of the path that has the name. Empty for a route that is about many
 *     names: then whoever may do it to any may call it, and the endpoint leaves out what the caller
 *     may not see
 */
public record Need(Set<Action> actions, Set<Realm> realms, Optional<String> parameter) {

  public Need {
    actions = Set.copyOf(actions);
    realms = Set.copyOf(realms);
  }

  /** The action that is meant, or the first of several; empty for what anybody may know. */
  public Optional<Action> action() {
    return actions.stream().sorted().findFirst();
  }

  /** The realm that is meant, or the first of several. */
  public Realm realm() {
    return realms.stream().sorted().findFirst().orElseThrow();
  }

  /** Anybody may call it, also without a token. */
  public static Need nothing() {
    return new Need(Set.of(), Set.of(Realm.SERVER), Optional.empty());
  }

  /** Whoever says who they are may call it, whatever else they may. */
  public static Need known() {
    return new Need(Set.of(), Set.of(), Optional.empty());
  }

  /** The action on what a step of the path names. */
  public static Need of(Action action, Realm realm, String parameter) {
    return new Need(Set.of(action), Set.of(realm), Optional.of(parameter));
  }

  /** Any of some actions on what a step of the path names. */
  public static Need either(Set<Action> actions, Realm realm, String parameter) {
    return new Need(actions, Set.of(realm), Optional.of(parameter));
  }

  /** The action on some of the realm, or of any of several. */
  public static Need some(Action action, Realm... realms) {
    return new Need(Set.of(action), Set.of(realms), Optional.empty());
  }

  /** To run the server. */
  public static Need admin() {
    return new Need(Set.of(Action.ADMIN), Set.of(Realm.SERVER), Optional.empty());
  }
}
