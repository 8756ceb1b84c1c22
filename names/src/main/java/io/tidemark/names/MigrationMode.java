// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** Mode of a migration: a dry run, or one that writes. */
public enum MigrationMode {
  /** Reads and reports; writes nothing. */
  DRY_RUN,
  /** Converts, and reports what it did. */
  APPLY
}
