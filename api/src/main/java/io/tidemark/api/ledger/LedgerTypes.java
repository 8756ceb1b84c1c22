// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

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
}
