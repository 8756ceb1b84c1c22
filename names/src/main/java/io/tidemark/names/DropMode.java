// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** Mode in which a whole ledger is dropped. */
public enum DropMode {
  /** Its branches are retracted; each can be restored. */
  RETRACT,
  /** Its branches are purged, retracted ones too; the name is free. */
  PURGE
}
