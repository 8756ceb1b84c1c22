// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** Whether a migration only says what it would do. */
public enum MigrationMode {
  /** Reads and reports; writes nothing. */
  DRY_RUN,
  /** Converts, and reports what it did. */
  APPLY
}
