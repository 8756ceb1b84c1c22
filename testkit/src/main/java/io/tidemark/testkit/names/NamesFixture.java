// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.names;

import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.Ref;
import io.tidemark.testkit.objects.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The nameservice one test of the contract suite works with; closes what it opened. */
final class NamesFixture implements AutoCloseable {

  /** When everything here is created. */
  static final Instant NOW = Instant.parse("2026-11-15T12:00:00.250Z");

  private final Supplier<NameBackend> opener;
  private final NamesContractScale scale;
  private final FakeClock clock = new FakeClock(NOW);
  private final List<NameBackend> opened = new ArrayList<>();
  private final Deque<AutoCloseable> closedFirst = new ArrayDeque<>();
  private final NameBackend backend;
  private final NameService names;

  NamesFixture(Supplier<NameBackend> opener, NamesContractScale scale) {
    this.opener = opener;
    this.scale = scale;
    this.backend = anotherBackend();
    this.names = service(backend, NameOptions.STANDARD_PAYLOAD_LIMIT);
  }

  NameBackend backend() {
    return backend;
  }

  NameService names() {
    return names;
  }

  /** Another instance at the same place, which shares nothing else with the first. */
  NameBackend anotherBackend() {
    NameBackend other = opener.get();
    opened.add(other);
    return other;
  }

  NameService another() {
    return service(anotherBackend(), NameOptions.STANDARD_PAYLOAD_LIMIT);
  }

  /** The first instance and another one. */
  List<NameService> twoInstances() {
    return List.of(names, another());
  }

  NameService service(NameBackend on, int payloadLimit) {
    return new NameService(
        on,
        NameOptions.standard()
            .withoutNotifications()
            .withClock(clock)
            .withPayloadLimit(payloadLimit));
  }

  /** Another instance, which leaves word for others of what it changes. */
  NameService notifying() {
    NameOptions options = NameOptions.standard().announcingEvery(Duration.ofMillis(5));
    return closing(new NameService(opener.get(), options.withClock(clock)));
  }

  /** Has something closed at the end, before what was there before it. */
  <T extends AutoCloseable> T closing(T resource) {
    closedFirst.push(resource);
    return resource;
  }

  NamesContractScale scale() {
    return scale;
  }

  FakeClock clock() {
    return clock;
  }

  /** Creates a ledger with this head. */
  NameRecord ledger(Address address, String id, long t) {
    names.create(address);
    names.ledgers().publishCommit(address, Ref.of(id, t));
    return record(address);
  }

  /** The record, which must be there. */
  NameRecord record(Address address) {
    return names.find(address).orElseThrow();
  }

  Optional<ConcernValue> get(Address address, Concern concern) {
    return names.get(address, concern);
  }

  /** The addresses that a filter lists, as text. */
  List<String> listed(RecordFilter filter) {
    return texts(names.list(filter));
  }

  List<String> listed() {
    return listed(RecordFilter.all());
  }

  static List<String> texts(Stream<NameRecord> records) {
    try (records) {
      return records.map(record -> record.address().toString()).toList();
    }
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable resource : closedFirst) {
      resource.close();
    }
    opened.forEach(NameBackend::close);
  }
}
