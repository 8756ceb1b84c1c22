// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.log;

/** Format of a server's log. */
public enum LogFormat {
  TEXT,
  JSON
}
