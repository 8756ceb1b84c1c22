// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.PushResult;
import io.tidemark.names.Ref;
import java.util.Optional;

/** Heads of ledgers, moved by the nameservice on some backend as a ledger moves them. */
final class NameRegisters implements Registers<NameRegisters.Head> {

  /** A head as its ledger knows it. */
  record Head(Address address, Ref ref) {}

  private final NameService names;

  NameRegisters(NameBackend backend) {
    this(backend, NameOptions.standard());
  }

  NameRegisters(NameBackend backend, NameOptions options) {
    this.names = new NameService(backend, options);
  }

  @Override
  public Head create(int register) {
    Address address = address(register);
    names.create(address);
    return new Head(address, Ref.UNBORN);
  }

  @Override
  public Head read(int register) {
    Address address = address(register);
    return head(address, names.get(address, Concern.HEAD).orElseThrow());
  }

  @Override
  public Move<Head> move(int register, Head from) {
    long t = from.ref().t() + 1;
    Ref next = Ref.of(SamplePayload.id(t), t);
    PushResult result =
        names.ledgers().compareAndSetCommit(from.address(), Optional.of(from.ref()), next);
    return result instanceof PushResult.Conflict conflict
        ? new Move<>(head(from.address(), conflict.actual().orElseThrow()), false)
        : new Move<>(new Head(from.address(), next), true);
  }

  private static Head head(Address address, ConcernValue value) {
    Optional<String> id = value.payload().flatMap(payload -> payload.string("id"));
    return new Head(address, new Ref(id, value.watermark()));
  }

  private static Address address(int register) {
    return new Address("ledger-" + register, Address.MAIN);
  }

  @Override
  public void close() {
    names.close();
  }
}
