// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.names;

import io.tidemark.names.Address;
import io.tidemark.names.ChangeMarker;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.EditDecision;
import io.tidemark.names.EditRequest;
import io.tidemark.names.EditResult;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameStore;
import io.tidemark.names.RecordEdit;
import io.tidemark.names.VersionPage;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Names of which all begin alike, for somebody who may have those and no others. Who asks for all
 * there are asks the other side for all of them: leaving out the others is not done here.
 */
final class PrefixFilteredBackend implements NameBackend, NameStore {

  static final String PREFIX = "a/";

  private final NameBackend there;

  PrefixFilteredBackend(NameBackend there) {
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
    return there.find(out(address)).map(PrefixFilteredBackend::in);
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
  public Outcome change(Address address, ConcernChange concernChange) {
    return there.change(out(address), concernChange);
  }

  @Override
  public Optional<EditResult> edit(Address address, RecordEdit edit) {
    return there
        .edit(out(address), out(edit))
        .map(
            editResult ->
                new EditResult(
                    in(editResult.before()), editResult.after().map(PrefixFilteredBackend::in)));
  }

  private static RecordEdit out(RecordEdit edit) {
    return new RecordEdit() {
      @Override
      public EditDecision decide(NameRecord record) {
        EditDecision decision = edit.decide(in(record));
        return decision instanceof EditDecision.Replace replace
            ? EditDecision.replace(record, out(replace.next()))
            : decision;
      }

      @Override
      public Optional<EditRequest> request() {
        return edit.request().map(PrefixFilteredBackend::out);
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
    return there.list(out(prefix), out(startAfter)).map(PrefixFilteredBackend::in);
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
  public VersionPage listVersions(String prefix, Optional<String> page) {
    VersionPage versionPage = there.store().listVersions(out(prefix), page);
    return new VersionPage(
        versionPage.seen().stream()
            .map(
                seen ->
                    new VersionPage.VersionEntry(in(seen.address()), seen.part(), seen.version()))
            .toList(),
        versionPage.next());
  }

  @Override
  public ChangeMarker marker() {
    return there.store().marker();
  }

  @Override
  public Stream<MigrationEntry> migrate(MigrationMode mode) {
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
