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

/** Configs of ledgers, moved by the generic push; what makes JSON of text is a part of it. */
final class PayloadRegisters implements Registers<ConcernValue> {

  private final NameService names;

  PayloadRegisters(NameBackend backend) {
    this.names = new NameService(backend);
  }

  @Override
  public ConcernValue create(int register) {
    names.create(address(register));
    return ConcernValue.UNBORN;
  }

  @Override
  public ConcernValue read(int register) {
    return names.get(address(register), Concern.CONFIG).orElseThrow();
  }

  @Override
  public Move<ConcernValue> move(int register, ConcernValue from) {
    long count = from.watermark() + 1;
    ConcernValue next = ConcernValue.of(count, Payload.parse(Sample.json(count)));
    PushResult result = names.push(address(register), Concern.CONFIG, Optional.of(from), next);
    return result instanceof PushResult.Conflict conflict
        ? new Move<>(conflict.actual().orElseThrow(), false)
        : new Move<>(next, true);
  }

  private static Address address(int register) {
    return new Address("ledger-" + register, Address.MAIN);
  }

  @Override
  public void close() {
    names.close();
  }
}
