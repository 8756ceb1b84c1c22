// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

/** The names of the table's attributes that don't belong to one concern. */
final class AttributeNames {

  static final String PK = "pk";
  static final String SK = "sk";
  static final String SCHEMA = "schema";
  static final String UPDATED_AT_MS = "updated_at_ms";

  // Of the item meta.
  static final String META = "meta";
  static final String KIND = "kind";
  static final String NAME = "name";
  static final String BRANCH = "branch";
  static final String SOURCE_TYPE = "source_type";
  static final String DEPENDENCIES = "dependencies";
  static final String CREATED_AT = "created_at";
  static final String BP_SOURCE = "bp_source";
  static final String BRANCHES = "branches";

  /**
   * Private: the branches that were made from this one, as a set that is written in the very
   * transactions that create and remove them.
   */
  static final String CHILDREN = "children";

  /**
   * Private: tells the record from earlier records at its address. It is written with the record
   * and never again.
   */
  static final String RECORD_ID = "record_id";

  /** On meta whether the record is retracted; on every other item of a record that is, true. */
  static final String RETRACTED = "retracted";

  /**
   * Private: id of the last write of the item, by which the writer finds out how a request ended.
   */
  static final String WRITE_ID = "write_id";

  /** Private, on items of concerns: the edit that changes wait for, see {@link EditReservation}. */
  static final String RESERVED_BY = "reserved_by";

  /** Private, on the item index: how often an index was published. */
  static final String INDEX_REV = "index_rev";

  /**
   * Private, beside scalars that can't say all of a payload: its JSON, and at which watermark. See
   * {@link FlureeScalars}.
   */
  static final String EXACT = "exact";

  /** The index that lists the records of a kind. */
  static final String KIND_INDEX = "gsi1-kind";

  /**
   * Sort key prefix of the rows that some programs write for each commit; they are no part of a
   * record.
   */
  static final String COMMIT_ROWS = "commit#";

  /**
   * Every item of a record has this or a later sort key, and the rows of commits an earlier one.
   */
  static final String FIRST_SK = "config";

  private AttributeNames() {}
}
