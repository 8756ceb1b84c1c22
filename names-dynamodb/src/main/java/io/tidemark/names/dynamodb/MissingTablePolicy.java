// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

/** Policy for a table that doesn't exist when it is opened. */
public enum MissingTablePolicy {
  /** The first request says that it is missing; nothing is created by a misspelled name. */
  REFUSED,

  /** The table is created, and opening ends when it can be used. */
  CREATED
}
