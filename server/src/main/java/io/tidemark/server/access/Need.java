// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.Optional;

/**
 * What the caller of a route must be allowed to do.
 *
 * @param action empty for what anybody may know
 * @param realm whose names are meant
 * @param parameter the step of the path that has the name. Empty for a route that is about many
 *     names: then whoever may do it to any may call it, and the endpoint leaves out what the caller
 *     may not see
 */
public record Need(Optional<Action> action, Realm realm, Optional<String> parameter) {

  /** Anybody may call it, also without a token. */
  public static Need nothing() {
    return new Need(Optional.empty(), Realm.SERVER, Optional.empty());
  }

  /** The action on what a step of the path names. */
  public static Need of(Action action, Realm realm, String parameter) {
    return new Need(Optional.of(action), realm, Optional.of(parameter));
  }

  /** The action on some of the realm. */
  public static Need some(Action action, Realm realm) {
    return new Need(Optional.of(action), realm, Optional.empty());
  }

  /** To run the server. */
  public static Need admin() {
    return new Need(Optional.of(Action.ADMIN), Realm.SERVER, Optional.empty());
  }
}
