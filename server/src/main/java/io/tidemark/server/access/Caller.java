// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.ArrayList;
import java.util.List;

/**
 * Who makes a request.
 *
 * @param name for logs, and as the author of what is written
 * @param identity tells this caller from all others, also from one of another kind or spelling who
 *     has the same name
 * @param grants what is allowed; all else isn't
 */
public record Caller(String name, String identity, List<Grant> grants) {

  public Caller {
    grants = List.copyOf(grants);
  }

  /** The owner of a token of the server's own. */
  public static Caller ofToken(String name, List<Grant> grants) {
    return new Caller(name, "token " + name, grants);
  }

  /**
   * Whom an issuer of JWT vouches for.
   *
   * @param name as much of the subject as is harmless in logs
   */
  static Caller ofSubject(String subject, String name, List<Grant> grants) {
    return new Caller(name, "subject " + subject, grants);
  }

  /** Whoever reaches a server that asks nobody who they are. */
  public static Caller unrestricted() {
    List<Grant> all = new ArrayList<>();
    for (Action action : Action.values()) {
      for (ResourceType resourceType : ResourceType.values()) {
        all.add(new Grant(action, resourceType, ""));
      }
    }
    return new Caller("anonymous", "anybody", all);
  }

  /** Somebody who hasn't said who they are, and may do what everybody may. */
  static Caller anonymous() {
    return new Caller("nobody", "nobody", List.of());
  }

  /** Returns whether anybody has found out who it is. */
  public boolean isAuthenticated() {
    return !equals(unrestricted()) && !equals(anonymous());
  }

  /** Returns whether something may be done to a name. */
  public boolean may(Action action, ResourceType resourceType, String name) {
    return grants.stream().anyMatch(grant -> grant.covers(action, resourceType, name));
  }

  /** Returns whether it may be done to anything of a realm. */
  public boolean mayOnAny(Action action, ResourceType resourceType) {
    return grants.stream()
        .anyMatch(grant -> grant.action() == action && grant.realm() == resourceType);
  }

  /**
   * Ends a request that would do something to a name that may not be done; for names that aren't in
   * the path, such as that of the branch to merge.
   */
  public void require(Action action, ResourceType resourceType, String name) {
    if (!may(action, resourceType, name)) {
      throw AccessProblems.of(this, new Grant(action, resourceType, name));
    }
  }
}
