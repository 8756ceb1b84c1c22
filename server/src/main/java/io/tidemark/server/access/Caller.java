// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import java.util.ArrayList;
import java.util.List;

/**
 * Who makes a request.
 *
 * @param name for logs, and as the author of what is written
 * @param grants what is allowed; all else isn't
 */
public record Caller(String name, List<Grant> grants) {

  public Caller {
    grants = List.copyOf(grants);
  }

  /** Whoever reaches a server that asks nobody who they are. */
  public static Caller anybody() {
    List<Grant> all = new ArrayList<>();
    for (Action action : Action.values()) {
      for (Realm realm : Realm.values()) {
        all.add(new Grant(action, realm, ""));
      }
    }
    return new Caller("anonymous", all);
  }

  /** Whether something may be done to a name. */
  public boolean may(Action action, Realm realm, String name) {
    return grants.stream().anyMatch(grant -> grant.covers(action, realm, name));
  }
}
