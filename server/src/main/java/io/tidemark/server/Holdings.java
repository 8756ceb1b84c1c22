// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server;

import io.tidemark.features.Features;
import io.tidemark.names.NameService;
import io.tidemark.objects.ObjectStore;
import java.util.Optional;

/**
 * What a server serves. Whoever has opened it closes it, after the server.
 *
 * @param names of ledgers and graph sources
 * @param objects where ledgers and events are, unless a ledger's record says otherwise; empty when
 *     names are in no object store and no other was named
 * @param features in PostgreSQL, if there is one
 */
public record Holdings(
    NameService names, Optional<ObjectStore> objects, Optional<Features> features) {

  /** Names and what is beside them in the same store. */
  public static Holdings of(NameService names) {
    return new Holdings(names, names.objects(), Optional.empty());
  }
}
