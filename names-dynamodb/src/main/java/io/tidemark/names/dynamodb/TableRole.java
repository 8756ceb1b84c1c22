// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

/** Role of a table. */
enum TableRole {
  /** Records live in it. */
  READ_AND_WRITTEN(
      "dynamodb:GetItem, BatchGetItem, Query, Scan, PutItem, UpdateItem, DeleteItem,"
          + " BatchWriteItem and ConditionCheckItem",
      " and Query on its indices",
      "it needs the key pk (HASH, S), sk (RANGE, S) and the index gsi1-kind; name another table;"
          + " if this is an older one, name a new table with migrate-from"),
  /** It is looked at, and created if it isn't there. */
  SET_UP(
      "dynamodb:CreateTable and DescribeTable",
      ", or leave create=true out and have somebody else create it",
      READ_AND_WRITTEN.schema),
  /** Records are migrated from it. */
  MIGRATED_FROM(
      "dynamodb:DescribeTable, GetItem and Scan",
      "",
      "an older table has the key pk alone, or ledger_alias; correct migrate-from");

  private final String actions;
  private final String more;
  private final String schema;

  TableRole(String actions, String more, String schema) {
    this.actions = actions;
    this.more = more;
    this.schema = schema;
  }

  /** Returns the permissions that this role needs, as a list. */
  String actions() {
    return actions;
  }

  /** Returns further advice on permissions, as the rest of a sentence; empty for none. */
  String additionalActions() {
    return more;
  }

  /** Returns the remedy for a table of another schema. */
  String schema() {
    return schema;
  }
}
