// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.Optional;
import java.util.Set;

/**
 * Permission that the caller of a route needs.
 *
 * @param actions alternatives, one of which suffices; the endpoint decides which one the request
 *     needs. Empty for a route that takes no grant
 * @param realms resource types of the names: one, or alternatives
 * @param parameter path parameter that holds the name. Empty for a route about many names: it takes
 *     a grant on any name, and the endpoint leaves out names that the caller may not see
 */
public record RequiredPermission(
    Set<Action> actions, Set<ResourceType> realms, Optional<String> parameter) {

  public RequiredPermission {
    actions = Set.copyOf(actions);
    realms = Set.copyOf(realms);
  }

  /**
   * Returns the required action, or the first of several; empty for a route that takes no grant.
   */
  public Optional<Action> action() {
    return actions.stream().sorted().findFirst();
  }

  /** Returns the resource type, or the first of several. */
  public ResourceType resourceType() {
    return realms.stream().sorted().findFirst().orElseThrow();
  }

  /** Returns the permission of a public route, which takes no token. */
  public static RequiredPermission none() {
    return new RequiredPermission(Set.of(), Set.of(ResourceType.SERVER), Optional.empty());
  }

  /** Returns the permission of a route that takes a valid token but no grant. */
  public static RequiredPermission authenticated() {
    return new RequiredPermission(Set.of(), Set.of(), Optional.empty());
  }

  /** Returns a permission for an action on the name in a path parameter. */
  public static RequiredPermission of(Action action, ResourceType resourceType, String parameter) {
    return new RequiredPermission(Set.of(action), Set.of(resourceType), Optional.of(parameter));
  }

  /** Returns a permission for any of some actions on the name in a path parameter. */
  public static RequiredPermission anyOf(
      Set<Action> actions, ResourceType resourceType, String parameter) {
    return new RequiredPermission(actions, Set.of(resourceType), Optional.of(parameter));
  }

  /** Returns a permission for an action on at least one name of these resource types. */
  public static RequiredPermission onAny(Action action, ResourceType... realms) {
    return new RequiredPermission(Set.of(action), Set.of(realms), Optional.empty());
  }

  /** Returns the permission to operate the server. */
  public static RequiredPermission admin() {
    return new RequiredPermission(
        Set.of(Action.ADMIN), Set.of(ResourceType.SERVER), Optional.empty());
  }
}
