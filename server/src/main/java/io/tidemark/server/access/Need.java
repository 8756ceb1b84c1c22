// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.Optional;
import java.util.Set;

/**
 * What the caller of a route must be allowed to do.
 *
 * @param action empty for what anybody may know
 * @param realms whose names are meant: of one realm, or of any of several
 * @param parameter the step of the path that has the name. Empty for a route that is about many
 *     names: then whoever may do it to any may call it, and the endpoint leaves out what the caller
 *     may not see
 */
public record Need(Optional<Action> action, Set<Realm> realms, Optional<String> parameter) {

  public Need {
    realms = Set.copyOf(realms);
  }

  /** The realm that is meant, or the first of several. */
  public Realm realm() {
    return realms.stream().sorted().findFirst().orElseThrow();
  }

  /** Anybody may call it, also without a token. */
  public static Need nothing() {
    return new Need(Optional.empty(), Set.of(Realm.SERVER), Optional.empty());
  }

  /** The action on what a step of the path names. */
  public static Need of(Action action, Realm realm, String parameter) {
    return new Need(Optional.of(action), Set.of(realm), Optional.of(parameter));
  }

  /** The action on some of the realm, or of any of several. */
  public static Need some(Action action, Realm... realms) {
    return new Need(Optional.of(action), Set.of(realms), Optional.empty());
  }

  /** To run the server. */
  public static Need admin() {
    return new Need(Optional.of(Action.ADMIN), Set.of(Realm.SERVER), Optional.empty());
  }
}
