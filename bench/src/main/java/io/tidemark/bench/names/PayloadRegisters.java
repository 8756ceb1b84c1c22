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
final class PayloadRegisters implements Registers<PayloadRegisters.Config> {

  /** A config as its writer knows it. */
  record Config(Address address, ConcernValue value) {}

  private final NameService names;

  PayloadRegisters(NameBackend backend) {
    this.names = new NameService(backend);
  }

  @Override
  public Config create(int register) {
    Address address = address(register);
    names.create(address);
    return new Config(address, ConcernValue.UNBORN);
  }

  @Override
  public Config read(int register) {
    Address address = address(register);
    return new Config(address, names.get(address, Concern.CONFIG).orElseThrow());
  }

  @Override
  public Move<Config> move(int register, Config from) {
    Address address = from.address();
    long count = from.value().watermark() + 1;
    ConcernValue next = ConcernValue.of(count, Payload.parse(SamplePayload.json(count)));
    PushResult result = names.push(address, Concern.CONFIG, Optional.of(from.value()), next);
    return result instanceof PushResult.Conflict conflict
        ? new Move<>(new Config(address, conflict.actual().orElseThrow()), false)
        : new Move<>(new Config(address, next), true);
  }

  private static Address address(int register) {
    return new Address("ledger-" + register, Address.MAIN);
  }

  @Override
  public void close() {
    names.close();
  }
}
