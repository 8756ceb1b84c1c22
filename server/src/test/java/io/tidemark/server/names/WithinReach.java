// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.Address;
import io.tidemark.names.Change;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Edit;
import io.tidemark.names.EditRequest;
import io.tidemark.names.Edited;
import io.tidemark.names.Marker;
import io.tidemark.names.Migrated;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameStore;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.Survey;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Names of which all begin alike, for somebody who may have those and no others. Who asks for all
 * there are asks the other side for all of them: leaving out the others is not done here.
 */
final class WithinReach implements NameBackend, NameStore {

  static final String PREFIX = "a/";

  private final NameBackend there;

  WithinReach(NameBackend there) {
    this.there = there;
  }

  private static Address out(Address address) {
    return new Address(PREFIX + address.name(), address.branch());
  }

  private static Address in(Address address) {
    if (!address.name().startsWith(PREFIX)) {
      throw new AssertionError(address + " is out of reach");
    }
    return new Address(address.name().substring(PREFIX.length()), address.branch());
  }

  private static NameRecord out(NameRecord record) {
    return moved(record, out(record.address()));
  }

  private static NameRecord in(NameRecord record) {
    return moved(record, in(record.address()));
  }

  private static NameRecord moved(NameRecord record, Address to) {
    return new NameRecord(
        to, record.meta(), record.head(), record.index(), record.status(), record.config());
  }

  private static String out(String prefix) {
    return prefix.isEmpty() ? "" : PREFIX + prefix;
  }

  @Override
  public Optional<NameRecord> find(Address address) {
    return there.find(out(address)).map(WithinReach::in);
  }

  @Override
  public Optional<ConcernValue> get(Address address, Concern concern) {
    return there.get(out(address), concern);
  }

  @Override
  public boolean create(NameRecord record) {
    return there.create(out(record));
  }

  @Override
  public Outcome change(Address address, Change change) {
    return there.change(out(address), change);
  }

  @Override
  public Optional<Edited> edit(Address address, RecordEdit edit) {
    return there
        .edit(out(address), out(edit))
        .map(edited -> new Edited(in(edited.before()), edited.after().map(WithinReach::in)));
  }

  private static RecordEdit out(RecordEdit edit) {
    return new RecordEdit() {
      @Override
      public Edit decide(NameRecord record) {
        Edit decision = edit.decide(in(record));
        return decision instanceof Edit.Replace replace
            ? Edit.replace(record, out(replace.next()))
            : decision;
      }

      @Override
      public Optional<EditRequest> request() {
        return edit.request().map(WithinReach::out);
      }
    };
  }

  private static EditRequest out(EditRequest request) {
    if (request instanceof EditRequest.Sweep sweep) {
      return new EditRequest.Sweep(out(sweep.listed()), sweep.branches(), sweep.which());
    }
    return request instanceof EditRequest.Undo undo
        ? new EditRequest.Undo(out(undo.made()))
        : request;
  }

  @Override
  public Stream<NameRecord> list(String prefix, String startAfter) {
    return there.list(out(prefix), out(startAfter)).map(WithinReach::in);
  }

  @Override
  public NameStore store() {
    return this;
  }

  @Override
  public Stream<NameRecord> branchesOf(Address source) {
    return list(source.name() + ":", "").filter(record -> record.isBranchOf(source));
  }

  @Override
  public Survey survey(String prefix, Optional<String> page) {
    Survey survey = there.store().survey(out(prefix), page);
    return new Survey(
        survey.seen().stream()
            .map(seen -> new Survey.Sighting(in(seen.address()), seen.part(), seen.version()))
            .toList(),
        survey.next());
  }

  @Override
  public Marker marker() {
    return there.store().marker();
  }

  @Override
  public Stream<Migrated> migrate(MigrationMode mode) {
    return there.store().migrate(mode);
  }

  @Override
  public String location() {
    return there.store().location();
  }

  @Override
  public void close() {
    there.close();
  }
}
