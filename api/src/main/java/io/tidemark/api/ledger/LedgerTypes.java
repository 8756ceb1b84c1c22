// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalLong;

/** Types of a ledger with the versions of their schemas. */
public interface LedgerTypes {

  /** Returns the current version of every type, by type. */
  List<TypeVersion> list();

  /** Returns a version of a type's schema; the current one without a number. */
  TypeVersion show(String type, OptionalLong version);

  /** Returns all versions of a type's schema, the oldest first. */
  List<TypeVersion> history(String type);

  /** Enters types that the ledger doesn't have. One that differs is a failure. */
  List<TypeVersion> declare(JsonNode schema);

  /** Compares types with those of the ledger. */
  SchemaComparison compare(JsonNode schema);

  /** Changes types and all their rows in one commit, or plans that. */
  MigrationResult migrate(MigrationRequest request);

  /** Ends a type in a commit, or plans that. */
  TypeDropResult drop(String type, TypeDropRequest request);
}
