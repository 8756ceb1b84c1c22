// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.names;

import java.util.concurrent.atomic.AtomicLong;
import org.projectnessie.versioned.storage.common.config.StoreConfig;
import org.projectnessie.versioned.storage.common.exceptions.RefConditionFailedException;
import org.projectnessie.versioned.storage.common.persist.ObjId;
import org.projectnessie.versioned.storage.common.persist.Persist;
import org.projectnessie.versioned.storage.common.persist.Reference;
import org.projectnessie.versioned.storage.inmemory.InmemoryBackend;

/** References of Nessie's own storage in memory, with the settings it has by default. */
final class NessieRegisters implements Registers<Reference> {

  private final InmemoryBackend backend = new InmemoryBackend();
  private final Persist persist =
      backend.createFactory().newPersist(StoreConfig.Adjustable.empty());

  /** Nessie compares pointers, so no two moves may go to the same. */
  private final AtomicLong pointers = new AtomicLong();

  @Override
  public Reference create(int register) throws Exception {
    long micros = persist.config().currentTimeMicros();
    return persist.addReference(
        Reference.reference(name(register), nextPointer(), false, micros, null));
  }

  @Override
  public Reference read(int register) {
    return persist.fetchReference(name(register));
  }

  @Override
  public Move<Reference> move(int register, Reference from) throws Exception {
    try {
      return new Move<>(persist.updateReferencePointer(from, nextPointer()), true);
    } catch (RefConditionFailedException e) {
      return new Move<>(e.reference(), false);
    }
  }

  private ObjId nextPointer() {
    return ObjId.objIdFromLongs(1, 2, 3, pointers.incrementAndGet());
  }

  private static String name(int register) {
    return "refs/heads/ledger-" + register;
  }

  @Override
  public void close() {
    backend.close();
  }
}
