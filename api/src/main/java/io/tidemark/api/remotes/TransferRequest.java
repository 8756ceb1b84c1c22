// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.tidemark.names.Address;
import java.util.Optional;

/**
 * Address to be pushed or pulled.
 *
 * @param local address here
 * @param remote name of the remote; empty for that of the upstream
 * @param there address on the remote; empty for that of the upstream, or else the one it has here
 * @param follow whether the other side becomes the upstream
 */
@RecordBuilder
public record TransferRequest(
    String local, Optional<String> remote, Optional<String> there, boolean follow)
    implements TransferRequestBuilder.With {

  public TransferRequest {
    local = Address.parse(local).toString();
    there = there.map(address -> Address.parse(address).toString());
  }

  /** Returns a request to move an address from or to its upstream. */
  public static TransferRequest of(String local) {
    return new TransferRequest(local, Optional.empty(), Optional.empty(), false);
  }
}
