// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.IndexMaintenance;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.MergeOutcome;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.ledger.internal.named.NamedLedgerInitializer;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.internal.store.Head;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.Address;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import io.tidemark.names.objects.DocumentLayout;
import io.tidemark.names.objects.ObjectNameBackend;
import io.tidemark.objects.ObjectBackend;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.Retry;
import io.tidemark.remotes.Remotes.RemoteSelector;
import io.tidemark.remotes.transfer.TransferOutcome;
import io.tidemark.testkit.objects.ForwardingBackend;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A store with names and ledgers, and what a test does there. */
final class Site {

  private final String name;
  private final ObjectBackend backend;
  private final Retry retry;
  private final LedgerOptions options;
  private final DocumentLayout documentLayout;
  private final Optional<Server> server;
  private final Map<String, Site> others = new HashMap<>();

  /** A server that has the store, and opens its names. */
  record Server(String location, Supplier<NameService> names) {}

  Site(String name, ObjectBackend backend, Retry retry, LedgerOptions options) {
    this(name, backend, retry, options, DocumentLayout.B, Optional.empty());
  }

  private Site(
      String name,
      ObjectBackend backend,
      Retry retry,
      LedgerOptions options,
      DocumentLayout documentLayout,
      Optional<Server> server) {
    this.name = name;
    this.backend = backend;
    this.retry = retry;
    this.options = options;
    this.documentLayout = documentLayout;
    this.server = server;
  }

  /** The same place, whose names and ledgers are reached through a server. */
  Site behind(Server other) {
    return new Site(name, backend, retry, options, documentLayout, Optional.of(other));
  }

  Site with(DocumentLayout other) {
    return new Site(name, backend, retry, options, other, server);
  }

  /** The same place for another process. */
  Site through(ObjectBackend other) {
    return new Site(name, other, retry, options, documentLayout, server);
  }

  ObjectBackend backend() {
    return backend;
  }

  /** What is stored; it stays open when those who use it close it. */
  ObjectStore store() {
    return new ObjectStore(new Kept(backend), retry);
  }

  NameService names() {
    return server.map(Server::names).orElse(this::own).get();
  }

  /** Those in the store itself. */
  NameService own() {
    return new NameService(
        new ObjectNameBackend(store(), documentLayout, retry, backend.clock()),
        NameOptions.standard().withRetry(retry).withClock(backend.clock()).withoutNotifications());
  }

  /** Its remotes; the locations that they are at are the names of other sites. */
  Remotes remotes(Site... known) {
    for (Site site : known) {
      others.put(site.location(), site);
    }
    Function<String, NameService> opener =
        location -> Optional.ofNullable(others.get(location)).orElseThrow().names();
    return new Remotes(names(), TransferOptions.standard().withOpener(opener).withLedgers(options));
  }

  String location() {
    return server.map(Server::location).orElse("s3://" + name);
  }

  /** Its remotes, with one of them as the origin. */
  Remotes following(Site origin) {
    Remotes remotes = remotes(origin);
    remotes.add(RemoteName.ORIGIN, origin.location());
    return remotes;
  }

  TransferOutcome push(Site other, String address) {
    return push(other, address, address);
  }

  TransferOutcome push(Site other, String local, String there) {
    return knowing(other).push(Address.parse(local), at(other, there));
  }

  TransferOutcome pull(Site other, String address) {
    return pull(other, address, address);
  }

  TransferOutcome pull(Site other, String there, String local) {
    return knowing(other).pull(Address.parse(local), at(other, there));
  }

  /** Its remotes, with one of them under the name of its site. */
  private Remotes knowing(Site other) {
    Remotes remotes = remotes(other);
    remotes.add(new RemoteName(other.name), other.location());
    return remotes;
  }

  private static RemoteSelector at(Site other, String address) {
    return RemoteSelector.at(new RemoteName(other.name), Address.parse(address));
  }

  TransferOutcome cloneOf(Site origin, String address) {
    return remotes(origin)
        .cloneLedger(
            RemoteName.ORIGIN, origin.location(), Address.parse(address), Address.parse(address));
  }

  void init(String address) {
    try (NameService names = names();
        NamedLedgerInitializer init =
            new NamedLedgerInitializer(names, Address.parse(address), Optional.empty())) {
      init.init();
    }
  }

  void branch(String source, String branch) {
    try (NameService names = names()) {
      new NamedBranches(names, options).create(Address.parse(source), branch);
    }
  }

  void branchAt(String source, String branch, long commit) {
    try (NameService names = names()) {
      new NamedBranches(names, options).createAt(Address.parse(source), branch, commit);
    }
  }

  MergeOutcome merge(String target, String source) {
    return on(
        target,
        ledger ->
            ledger
                .merge(new BranchName(source), ConflictResolution.REFUSE)
                .apply(Map.of("message", "merge " + source)));
  }

  <T> T on(String address, Function<Ledger, T> work) {
    try (NameService names = names();
        NamedLedgers.OpenLedger openLedger =
            new NamedLedgers(names).open(Address.parse(address), options)) {
      return work.apply(openLedger.ledger());
    }
  }

  void with(String address, Consumer<Ledger> work) {
    on(
        address,
        ledger -> {
          work.accept(ledger);
          return true;
        });
  }

  /** One commit with these rows. */
  void commit(String address, Object... rows) {
    with(address, ledger -> commit(ledger, rows));
  }

  static void commit(Ledger ledger, Object... rows) {
    List<RecordType<?>> types =
        Stream.of(rows)
            .<Class<?>>map(Object::getClass)
            .distinct()
            .<RecordType<?>>map(Site::type)
            .toList();
    ledger.write(
        types.stream().map(RecordType::schema).toList(),
        Map.of("message", List.of(rows).toString()),
        session -> List.of(rows).forEach(session::ensure));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // all of them are records
  private static RecordType<?> type(Class<?> row) {
    return RecordType.of((Class) row);
  }

  /** Where an address is by its name. */
  Ref head(String address) {
    try (NameService names = names()) {
      return names.ledgers().find(Address.parse(address)).orElseThrow().commit();
    }
  }

  boolean has(String address) {
    try (NameService names = names()) {
      return names.find(Address.parse(address)).isPresent();
    }
  }

  /** Whether there is a ledger, and not only a name. */
  boolean hasLedger(String address) {
    Address parsed = Address.parse(address);
    try (NameService names = names();
        NamedLedgers.LedgerLocation ledgerLocation =
            new NamedLedgers(names).locationOrDefault(parsed)) {
      return Head.read(ledgerLocation.objects(parsed)).isPresent();
    }
  }

  /**
   * All that a ledger has to tell: every commit by its content id and with what it did, every type,
   * and every row as it was after each commit.
   */
  List<String> account(String address) {
    return on(address, Site::account);
  }

  static List<String> account(Ledger ledger) {
    List<String> told = new ArrayList<>();
    for (long id = 1; id <= ledger.log().head().orElse(0L); id++) {
      long commit = id;
      told.add(commit + " " + ledger.log().contentId(commit).orElseThrow());
      ledger.log().changes(commit, identityChange -> told.add(commit + " " + identityChange));
    }
    for (TypeId type : ledger.reader().types()) {
      told.add(type + " " + ledger.reader().schemas(type));
      ledger.reader().history(type, 0, row -> told.add(type + " " + row));
    }
    return told;
  }

  /** Without the types: they are entered before the head moves, and follow it when they end. */
  static List<String> committed(List<String> account) {
    return account.stream().filter(line -> Character.isDigit(line.charAt(0))).toList();
  }

  /** All indices are right, and so are the types and the name. */
  void isSound(String address) {
    with(
        address,
        ledger ->
            assertThat(ledger.indices().verify(Depth.EVERY_COMMIT))
                .matches(IndexMaintenance.Report::ok));
  }

  private static final class Kept extends ForwardingBackend {
    Kept(ObjectBackend wrapped) {
      super(wrapped);
    }

    @Override
    public void close() {}
  }
}
