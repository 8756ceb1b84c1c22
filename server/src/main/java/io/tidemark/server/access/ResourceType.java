// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

/** Whose names a grant is about: each realm has names of its own. */
public enum ResourceType {
  /** Ledgers and graph sources, by {@code name:branch}. */
  NAMES,
  /** Collections of features, by their ids. */
  FEATURES,
  /** Namespaces of events. */
  EVENTS,
  /** The server itself, which has no names. */
  SERVER;

  /** Returns whether grants can be limited to some names of it. */
  boolean hasNames() {
    return this != SERVER;
  }
}
