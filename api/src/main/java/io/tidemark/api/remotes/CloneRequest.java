// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.names.Address;
import java.util.Optional;

/**
 * Ledger in another store, to be made here.
 *
 * @param location location of the other store
 * @param there address there
 * @param local address here; if left out, the main branch of the name there
 * @param origin name of the other store as a remote; if left out, {@code origin}
 */
@RecordBuilder
public record CloneRequest(
    String location, String there, Optional<String> local, Optional<String> origin)
    implements CloneRequestBuilder.With {

  public CloneRequest {
    Address source = Address.parse(there);
    Address target = local.map(Address::parse).orElse(source.onBranch(Address.MAIN));
    there = source.toString();
    local = Optional.of(target.toString());
    origin = Optional.of(origin.orElse("origin"));
  }

  /** Returns a request to make a ledger under its name there, following {@code origin}. */
  public static CloneRequest of(String location, String there) {
    return new CloneRequest(location, there, Optional.empty(), Optional.empty());
  }
}
