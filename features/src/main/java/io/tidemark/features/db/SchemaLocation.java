// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.model.CollectionInfo;

/**
 * Location of a storage.
 *
 * @param schema the schema of its tables, a plain name
 * @param storageId the prefix of the GUIDs of its features
 */
public record SchemaLocation(String schema, String storageId) {

  /** Returns the name of a table, as SQL has it. Ids of collections have no quotes in them. */
  public String table(String name) {
    return schema + ".\"" + name + '"';
  }

  /**
   * Returns a condition for statements that read HEAD, which is true or fails: no load has replaced
   * the tables since the snapshot was taken, see {@code naksha_steady}.
   */
  public String unreplacedCondition(CollectionInfo info) {
    String leaf = info.partitioned() ? info.id() + "_0" : info.id();
    return "(SELECT %s.naksha_steady('%s', '%s'))".formatted(schema, info.id(), leaf);
  }
}
