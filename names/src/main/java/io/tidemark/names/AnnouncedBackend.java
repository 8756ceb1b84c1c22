// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.OutcomeUnknownException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A backend that says which records it has changed, or may have changed. */
final class AnnouncedBackend implements NameBackend {

  private final NameBackend backend;
  private final Consumer<Address> moved;

  AnnouncedBackend(NameBackend backend, Consumer<Address> moved) {
    this.backend = backend;
    this.moved = moved;
  }

  @Override
  public boolean create(NameRecord record) {
    return announcing(record.address(), () -> backend.create(record), created -> created);
  }

  @Override
  public Outcome change(Address address, Change change) {
    return announcing(
        address, () -> backend.change(address, change), outcome -> outcome instanceof Applied);
  }

  @Override
  public Optional<Edited> edit(Address address, RecordEdit edit) {
    return announcing(address, () -> backend.edit(address, edit), AnnouncedBackend::hasChanged);
  }

  private static boolean hasChanged(Optional<Edited> edited) {
    return edited.filter(e -> !e.after().equals(Optional.of(e.before()))).isPresent();
  }

  private <T> T announcing(Address address, Supplier<T> write, Predicate<T> changed) {
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
