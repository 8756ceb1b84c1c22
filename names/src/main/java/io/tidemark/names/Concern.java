// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Locale;

/** Part of a record, one of four that move independently, each with a watermark and a payload. */
public enum Concern {
  /**
   * Where the ledger is: its last commit. The watermark is the commit's {@code t}. Ledgers only.
   */
  HEAD,
  /** How far it is indexed. The watermark is the {@code t} that the index covers. */
  INDEX,
  /** State of the record, with locks and metrics. The watermark counts changes, from 1. */
  STATUS,
  /** Configuration of the record. The watermark counts changes, from 0. */
  CONFIG;

  /** Returns the name that users and programs use. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
