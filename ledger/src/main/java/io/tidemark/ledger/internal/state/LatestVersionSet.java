// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.Row;
import java.io.IOException;

/**
 * Set of the last version of each identity among those that were added, and of what it says, as
 * digests: some 60 bytes an identity. Not safe for use by more than one thread at a time.
 */
public final class LatestVersionSet {

  private final TypeState state = new TypeState();
  private final LedgerObjects objects;

  public LatestVersionSet(LedgerObjects objects) {
    this.objects = objects;
  }

  /** Adds a version. */
  public void add(Row row) {
    state.put(Digest.of(row.identity()), payload(row), row.commitId());
  }

  public boolean contains(Identity identity) {
    return state.commitOf(Digest.of(identity)) > 0;
  }

  /** Returns whether this version is the last of its identity. */
  public boolean isLatest(Row row) {
    return state.commitOf(Digest.of(row.identity())) == row.commitId();
  }

  /** Returns whether the last version of the identity has an equal payload. */
  public boolean hasSamePayload(Row row) {
    return state.holds(Digest.of(row.identity()), payload(row));
  }

  private Digest payload(Row row) {
    try {
      return Digest.ofPayload(row.fieldsJson());
    } catch (IOException e) {
      throw objects.corrupt(
          "the row " + row.identity() + " of commit " + row.commitId(),
          "has a fields_json that is no JSON: " + e.getMessage());
    }
  }
}
