// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.names.PushResult;
import java.util.Optional;

/** Heads of ledgers, moved by the nameservice on some backend. */
final class NameRegisters implements Registers<ConcernValue> {

  private final NameService names;

  NameRegisters(NameBackend backend) {
    this.names = new NameService(backend);
  }

  @Override
  public ConcernValue create(int register) {
    names.create(address(register));
    return ConcernValue.UNBORN;
  }

  @Override
  public ConcernValue read(int register) {
    return names.get(address(register), Concern.HEAD).orElseThrow();
  }

  @Override
  public Move<ConcernValue> move(int register, ConcernValue from) {
    ConcernValue next = head(from.watermark() + 1);
    PushResult result = names.push(address(register), Concern.HEAD, Optional.of(from), next);
    return result instanceof PushResult.Conflict conflict
        ? new Move<>(conflict.actual().orElseThrow(), false)
        : new Move<>(next, true);
  }

  /** A head as a ledger would publish it; making it is a part of the work, as it is there. */
  private static ConcernValue head(long t) {
    return ConcernValue.of(t, Payload.parse(Sample.head(t)));
  }

  static Address address(int register) {
    return new Address("ledger-" + register, Address.MAIN);
  }

  @Override
  public void close() {
    names.close();
  }
}
