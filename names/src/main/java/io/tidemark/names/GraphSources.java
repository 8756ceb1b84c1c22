// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.List;
import java.util.Optional;

/** The operations on graph sources, by name; each is one step of the generic core. */
public final class GraphSources {

  private final NameService names;

  GraphSources(NameService names) {
    this.names = names;
  }

  /** Returns the record of a graph source; empty when there is none, or it is a ledger. */
  public Optional<NameRecord> find(Address address) {
    return names.find(address).filter(record -> record.meta().kind() == RecordKind.GRAPH_SOURCE);
  }

  /**
   * Creates a graph source or changes its set-up. Its index stays as it is, and so does its being
   * retracted.
   *
   * @throws AlreadyExistsException when the address is that of a ledger
   */
  public NameRecord publish(
      Address address, SourceType type, Payload config, List<String> dependencies) {
    ConcernValue first = ConcernValue.of(1, config);
    names.check(address, Concern.CONFIG, first);
    NameService.requireUnicode(address, "type", List.of(type.value()));
    NameService.requireUnicode(address, "list of dependencies", dependencies);
    if (names.find(address).isEmpty()) {
      long now = names.nowMs();
      NameRecord made =
          new NameRecord(
              address,
              NameRecord.Meta.ofSource(type, dependencies, now),
              ConcernValue.UNBORN,
              ConcernValue.UNBORN,
              NameRecord.READY,
              first);
      if (names.createIfAbsent(made)) {
        return made;
      }
    }
    return names.editExisting(
        address, new EditRequest.Configure(names.nowMs(), type, config, dependencies));
  }

  /** Publishes the index of the source, if it is newer; a conflict says that it isn't. */
  public PushResult publishIndex(Address address, Ref index) {
    if (find(address).isEmpty()) {
      throw names.notFound(address, RecordKind.GRAPH_SOURCE);
    }
    Ledgers.requireWhole(address, Concern.INDEX, index);
    return names.advance(
        address,
        Concern.INDEX,
        RefCodec.indexValue(RecordKind.GRAPH_SOURCE, index, ConcernValue.UNBORN));
  }

  /** Takes a graph source back. */
  public NameRecord retract(Address address) {
    if (find(address).isEmpty()) {
      throw names.notFound(address, RecordKind.GRAPH_SOURCE);
    }
    return names.retract(address);
  }
}
