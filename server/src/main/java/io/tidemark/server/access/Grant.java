// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

/**
 * Something that is allowed.
 *
 * @param action what
 * @param realm whose names
 * @param prefix what the name starts with; empty for all of the realm
 */
public record Grant(Action action, Realm realm, String prefix) {

  boolean covers(Action wanted, Realm in, String name) {
    return action == wanted && realm == in && name.startsWith(prefix);
  }
}
