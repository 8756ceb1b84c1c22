// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import io.tidemark.api.ledger.LedgerTypes;
import io.tidemark.api.ledger.TypeVersion;
import java.util.List;
import java.util.OptionalLong;

/** Types of a ledger on a server. */
record HttpTypes(LedgerServer server) implements LedgerTypes {

  @Override
  public List<TypeVersion> list() {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public TypeVersion show(String type, OptionalLong version) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  public List<TypeVersion> history(String type) {
    throw new UnsupportedOperationException("not yet");
  }
}
