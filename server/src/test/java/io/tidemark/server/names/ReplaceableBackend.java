// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.Address;
import io.tidemark.names.ChangeMarker;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditResult;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameStore;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.VersionPage;
import io.tidemark.objects.ObjectStore;
import java.util.Optional;
import java.util.stream.Stream;

/** A backend that another takes the place of, so that one server does for many tests. */
final class ReplaceableBackend implements NameBackend, NameStore {

  private volatile NameBackend now;

  ReplaceableBackend(NameBackend first) {
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
  public Outcome change(Address address, ConcernChange concernChange) {
    return now.change(address, concernChange);
  }

  @Override
  public Optional<EditResult> edit(Address address, RecordEdit edit) {
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
  public VersionPage listVersions(String prefix, Optional<String> page) {
    return now.store().listVersions(prefix, page);
  }

  @Override
  public ChangeMarker marker() {
    return new ChangeMarker() {
      @Override
      public State read(Optional<String> known) {
        return now.store().marker().read(known);
      }

      @Override
      public Optional<String> write(Optional<String> known, String text) {
        return now.store().marker().write(known, text);
      }
    };
  }

  @Override
  public Stream<MigrationEntry> migrate(MigrationMode mode) {
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
