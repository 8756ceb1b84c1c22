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
public record RequiredPermission(
    Set<Action> actions, Set<ResourceType> realms, Optional<String> parameter) {

  public RequiredPermission {
    actions = Set.copyOf(actions);
    realms = Set.copyOf(realms);
  }

  /** The action that is meant, or the first of several; empty for what anybody may know. */
  public Optional<Action> action() {
    return actions.stream().sorted().findFirst();
  }

  /** The realm that is meant, or the first of several. */
  public ResourceType resourceType() {
    return realms.stream().sorted().findFirst().orElseThrow();
  }

  /** Anybody may call it, also without a token. */
  public static RequiredPermission none() {
    return new RequiredPermission(Set.of(), Set.of(ResourceType.SERVER), Optional.empty());
  }

  /** Whoever says who they are may call it, whatever else they may. */
  public static RequiredPermission authenticated() {
    return new RequiredPermission(Set.of(), Set.of(), Optional.empty());
  }

  /** The action on what a step of the path names. */
  public static RequiredPermission of(Action action, ResourceType resourceType, String parameter) {
    return new RequiredPermission(Set.of(action), Set.of(resourceType), Optional.of(parameter));
  }

  /** Any of some actions on what a step of the path names. */
  public static RequiredPermission anyOf(
      Set<Action> actions, ResourceType resourceType, String parameter) {
    return new RequiredPermission(actions, Set.of(resourceType), Optional.of(parameter));
  }

  /** The action on some of the realm, or of any of several. */
  public static RequiredPermission onAny(Action action, ResourceType... realms) {
    return new RequiredPermission(Set.of(action), Set.of(realms), Optional.empty());
  }

  /** To run the server. */
  public static RequiredPermission admin() {
    return new RequiredPermission(
        Set.of(Action.ADMIN), Set.of(ResourceType.SERVER), Optional.empty());
  }
}
