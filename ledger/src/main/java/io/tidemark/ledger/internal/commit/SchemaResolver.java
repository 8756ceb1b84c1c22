// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.schema.TypeSchema;

/** Resolver of the schema that rows of a type are written under. */
@FunctionalInterface
public interface SchemaResolver {

  /** Schema with the number of its version. */
  record CurrentSchema(TypeSchema schema, long versionId) {}

  /**
   * Returns the current schema of a type as of a base. Fails when the writer's schema of the type
   * isn't that of the ledger any more.
   */
  CurrentSchema at(TypeId type, PinnedHead pinnedHead);
}
