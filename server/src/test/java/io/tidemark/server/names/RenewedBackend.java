// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Edited;
import io.tidemark.names.Marker;
import io.tidemark.names.Migrated;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameStore;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.Survey;
import io.tidemark.objects.ObjectStore;
import java.util.Optional;
import java.util.stream.Stream;

/** A backend that another takes the place of, so that one server does for many tests. */
final class RenewedBackend implements NameBackend, NameStore {

  private volatile NameBackend now;

  RenewedBackend(NameBackend first) {
    this.now = first;
  }

  void become(NameBackend other) {
    now = other;
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    return now.find(address);
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    return now.get(address, concern);
  }

  @Override
  public boolean create(NameRecord record) {
    return now.create(record);
  }

  @Override
  public Outcome change(Address address, Change change) {
    return now.change(address, change);
  }

  @Override
  public Optional<Edited> edit(Address address, RecordEdit edit) {
    return now.edit(address, edit);
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    return now.list(prefix, startAfter);
  }

  @Override
  public Stream<NameRecord> branchesOf(Address source) {
    return now.store().branchesOf(source);
  }

  @Override
  public NameStore store() {
    return this;
  }

  @Override
  public Survey survey(String prefix, Optional<String> page) {
    return now.store().survey(prefix, page);
  }

  @Override
  public Marker marker() {
    return new Marker() {
      @Override
      public Reading read(Optional<String> known) {
        return now.store().marker().read(known);
      }

      @Override
      public Optional<String> write(Optional<String> known, String text) {
        return now.store().marker().write(known, text);
      }
    };
  }

  @Override
  public Stream<Migrated> migrate(MigrationMode mode) {
    return now.store().migrate(mode);
  }

  @Override
  public String location() {
    return now.store().location();
  }

  @Override
  public Optional<ObjectStore> objects() {
    return now.store().objects();
  }

  @Override
  public void close() {
    now.close();
  }
}
