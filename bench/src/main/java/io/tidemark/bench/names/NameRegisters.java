// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameService;
import io.tidemark.names.PushResult;
import io.tidemark.names.Ref;
import java.util.Optional;

/** Heads of ledgers, moved by the nameservice on some backend as a ledger moves them. */
final class NameRegisters implements Registers<Ref> {

  private final NameService names;

  NameRegisters(NameBackend backend) {
    this.names = new NameService(backend);
  }

  @Override
  public Ref create(int register) {
    names.create(address(register));
    return Ref.UNBORN;
  }

  @Override
  public Ref read(int register) {
    return ref(names.get(address(register), Concern.HEAD).orElseThrow());
  }

  @Override
  public Move<Ref> move(int register, Ref from) {
    Ref next = Ref.of(Sample.id(from.t() + 1), from.t() + 1);
    PushResult result =
        names.ledgers().compareAndSetCommit(address(register), Optional.of(from), next);
    return result instanceof PushResult.Conflict conflict
        ? new Move<>(ref(conflict.actual().orElseThrow()), false)
        : new Move<>(next, true);
  }

  private static Ref ref(ConcernValue head) {
    return new Ref(head.payload().flatMap(payload -> payload.string("id")), head.watermark());
  }

  private static Address address(int register) {
    return new Address("ledger-" + register, Address.MAIN);
  }

  @Override
  public void close() {
    names.close();
  }
}
