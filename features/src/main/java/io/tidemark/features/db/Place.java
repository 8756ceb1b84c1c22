// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.db;

/**
 * Where a storage is.
 *
 * @param schema the schema of its tables, a plain name
 * @param storageId what the GUIDs of its features begin with
 */
public record Place(String schema, String storageId) {

  /** The name of a table, as SQL has it. Ids of collections have no quotes in them. */
  public String table(String name) {
    return schema + ".\"" + name + '"';
  }
}
