// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

import io.tidemark.features.model.CollectionInfo;

/**
 * Where a storage is.
 *
 * @param schema the schema of its tables, a plain name
 * @param storageId what the GUIDs of its features begin with
 */
public record SchemaLocation(String schema, String storageId) {

  /** The name of a table, as SQL has it. Ids of collections have no quotes in them. */
  public String table(String name) {
    return schema + ".\"" + name + '"';
  }

  /**
   * A condition for whoever reads HEAD, which is true or fails: that no load has replaced its
   * tables since the moment that is seen, see {@code naksha_steady}.
   */
  public String unreplacedCondition(CollectionInfo info) {
    String leaf = info.partitioned() ? info.id() + "_0" : info.id();
    return "(SELECT %s.naksha_steady('%s', '%s'))".formatted(schema, info.id(), leaf);
  }
}
