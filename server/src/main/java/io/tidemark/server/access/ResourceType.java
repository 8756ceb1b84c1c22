// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

/** Type of resources that a grant covers. Each type has a namespace of its own. */
public enum ResourceType {
  /** Ledgers and graph sources, by {@code name:branch}. */
  NAMES,
  /** Collections of features, by their ids. */
  FEATURES,
  /** Namespaces of events. */
  EVENTS,
  /** The server itself, which has no names. */
  SERVER;

  /** Returns whether grants can be limited to some names of this type. */
  boolean hasNames() {
    return this != SERVER;
  }
}
