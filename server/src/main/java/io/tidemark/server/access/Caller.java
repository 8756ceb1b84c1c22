// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.ArrayList;
import java.util.List;

/**
 * Caller of a request, with its grants.
 *
 * @param name name in logs, and the author of what this caller writes
 * @param identity unique among all callers, also among those of another kind or spelling that share
 *     the name
 * @param grants allowed actions; all others are refused
 */
public record Caller(String name, String identity, List<Grant> grants) {

  public Caller {
    grants = List.copyOf(grants);
  }

  /** Returns the owner of a token in the server's token file. */
  public static Caller ofToken(String name, List<Grant> grants) {
    return new Caller(name, "token " + name, grants);
  }

  /**
   * Returns the subject of a JWT.
   *
   * @param name the subject, shortened and with characters that are unsafe in logs replaced
   */
  static Caller ofSubject(String subject, String name, List<Grant> grants) {
    return new Caller(name, "subject " + subject, grants);
  }

  /** Returns the caller of a server without authentication, which may do everything. */
  public static Caller unrestricted() {
    List<Grant> all = new ArrayList<>();
    for (Action action : Action.values()) {
      for (ResourceType resourceType : ResourceType.values()) {
        all.add(new Grant(action, resourceType, ""));
      }
    }
    return new Caller("anonymous", "anybody", all);
  }

  /** Returns a caller that isn't authenticated and has no grants. */
  static Caller anonymous() {
    return new Caller("nobody", "nobody", List.of());
  }

  /** Returns whether this caller is authenticated. */
  public boolean isAuthenticated() {
    return !equals(unrestricted()) && !equals(anonymous());
  }

  /** Returns whether this caller may perform an action on a name. */
  public boolean may(Action action, ResourceType resourceType, String name) {
    return grants.stream().anyMatch(grant -> grant.covers(action, resourceType, name));
  }

  /** Returns whether this caller may perform an action on at least one name of a resource type. */
  public boolean mayOnAny(Action action, ResourceType resourceType) {
    return grants.stream()
        .anyMatch(grant -> grant.action() == action && grant.realm() == resourceType);
  }

  /**
   * Requires the right to an action on a name that isn't in the path, such as the branch to merge.
   */
  public void require(Action action, ResourceType resourceType, String name) {
    if (!may(action, resourceType, name)) {
      throw AccessProblems.of(this, new Grant(action, resourceType, name));
    }
  }
}
