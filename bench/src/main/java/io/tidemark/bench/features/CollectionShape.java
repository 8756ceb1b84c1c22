// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.features;

import io.tidemark.features.collection.CollectionOptions;

/** How a collection keeps its features. */
enum CollectionShape {
  LEAVES("sixteen leaves"),
  TABLE("one table");

  private final String words;

  CollectionShape(String words) {
    this.words = words;
  }

  CollectionOptions options() {
    CollectionOptions usual = CollectionOptions.none();
    return this == LEAVES ? usual : usual.unpartitioned();
  }

  /**
   * That a row {@code h} of HEAD is the one of {@code u.id}, so that only its leaf is looked at.
   */
  String same() {
    String id = "(h.jsondata->>'id') COLLATE \"C\" = u.id";
    String leaf = " AND substring(md5(h.jsondata->>'id'), 1, 1) = substring(md5(u.id), 1, 1)";
    return this == LEAVES ? id + leaf : id;
  }

  @Override
  public String toString() {
    return words;
  }
}
