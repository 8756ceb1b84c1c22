// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.OutcomeUnknownException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A backend that says which records it has changed, or may have changed. */
final class NotifyingBackend implements NameBackend {

  private final NameBackend backend;
  private final Consumer<Address> moved;

  NotifyingBackend(NameBackend backend, Consumer<Address> moved) {
    this.backend = backend;
    this.moved = moved;
  }

  @Override
  public boolean create(NameRecord record) {
    return notifying(record.address(), () -> backend.create(record), created -> created);
  }

  @Override
  public Outcome change(Address address, ConcernChange concernChange) {
    return notifying(
        address,
        () -> backend.change(address, concernChange),
        outcome -> outcome instanceof Applied);
  }

  @Override
  public Optional<EditResult> edit(Address address, RecordEdit edit) {
    return notifying(address, () -> backend.edit(address, edit), NotifyingBackend::hasChanged);
  }

  private static boolean hasChanged(Optional<EditResult> edited) {
    return edited.filter(e -> !e.after().equals(Optional.of(e.before()))).isPresent();
  }

  private <T> T notifying(Address address, Supplier<T> write, Predicate<T> changed) {
    try {
      T result = write.get();
      if (changed.test(result)) {
        moved.accept(address);
      }
      return result;
    } catch (OutcomeUnknownException e) {
      moved.accept(address);
      throw e;
    }
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    return backend.find(address);
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    return backend.get(address, concern);
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    return backend.list(prefix, startAfter);
  }

  @Override
  public NameStore store() {
    return backend.store();
  }

  @Override
  public void close() {
    backend.close();
  }
}
