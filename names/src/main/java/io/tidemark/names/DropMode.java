// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

/** Mode in which a whole ledger is dropped. */
public enum DropMode {
  /** The branches of the ledger are retracted; each can be restored. */
  RETRACT,
  /** The branches of the ledger are purged, retracted ones too; the name is free. */
  PURGE
}
