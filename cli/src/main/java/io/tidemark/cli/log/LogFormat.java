// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

/** How a server logs. */
public enum LogFormat {
  TEXT,
  JSON
}
