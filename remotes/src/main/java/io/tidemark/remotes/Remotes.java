// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.ledger.internal.named.LocationPolicy;
import io.tidemark.names.Address;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NameService;
import io.tidemark.names.RecordFilter;
import io.tidemark.names.RefusedException;
import io.tidemark.objects.ObjectStore;
import io.tidemark.objects.StoreGoneException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.internal.threads.Parallel;
import io.tidemark.remotes.transfer.Direction;
import io.tidemark.remotes.transfer.RecordTransferResult;
import io.tidemark.remotes.transfer.Transfer;
import io.tidemark.remotes.transfer.TransferEndpoint;
import io.tidemark.remotes.transfer.TransferOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The remotes of a nameservice: other stores from which names and ledgers are fetched and pulled,
 * and to which they are pushed. Neither side needs to be a server; each is a location that a
 * nameservice can be opened at.
 *
 * <p>A push and a pull never rewrite what is there: a head moves on along its own history, or stays
 * and is told to have diverged. Whatever is interrupted is completed by doing it again.
 */
public final class Remotes {

  private final NameService names;
  private final SyncDocuments documents;
  private final RemoteRegistry book;
  private final TransferOptions transferOptions;

  /** Creates the remotes of a nameservice. Its object store keeps them, so it must have one. */
  public Remotes(NameService names) {
    this(names, TransferOptions.standard());
  }

  public Remotes(NameService names, TransferOptions transferOptions) {
    this.names = names;
    this.documents = SyncDocuments.of(names);
    this.book = new RemoteRegistry(documents);
    this.transferOptions = transferOptions;
  }

  /**
   * Gives another store a name here. Nothing is asked of it yet.
   *
   * @throws io.tidemark.names.AlreadyExistsException when the name is that of another store
   * @throws io.tidemark.objects.InvalidLocationException when it can't be there, or has a password
   */
  public Remote add(RemoteName name, String location) {
    Remote remote = Remote.of(name, location);
    book.add(remote);
    return remote;
  }

  /**
   * Forgets a remote, what was found there, and that anything is pulled from it.
   *
   * @return whether there was one
   */
  public boolean remove(RemoteName name) {
    boolean known = book.remove(name);
    new RemoteRefStore(documents, name).removeAll();
    return known;
  }

  /** Returns all remotes, by name. */
  public List<Remote> list() {
    return book.list();
  }

  /** Returns the remote of a name. */
  public Remote get(RemoteName name) {
    return book.find(name).orElseThrow(() -> new UnknownRemoteException(name));
  }

  /** Returns the last known state of the names on a remote, by address. */
  public List<RemoteRef> tracked(RemoteName name) {
    return tracked(name, AddressRange.all()).found();
  }

  /** Returns the last known state of the names in a range of addresses on a remote. */
  public RemoteRefPage tracked(RemoteName name, AddressRange addressRange) {
    RemoteRefStore remoteRefStore = new RemoteRefStore(documents, name);
    AddressPage addressPage = AddressPage.of(remoteRefStore.addresses(), addressRange);
    return new RemoteRefPage(
        List.copyOf(remoteRefStore.of(addressPage.addresses()).values()), addressPage.last());
  }

  /**
   * Page of the last known states of names.
   *
   * @param last the last that was looked at, if there are more behind it
   */
  public record RemoteRefPage(List<RemoteRef> found, Optional<Address> last) {}

  /** The addresses of a span, and the last of them if there are more. */
  private record AddressPage(List<Address> addresses, Optional<Address> last) {
    static AddressPage of(SortedSet<Address> all, AddressRange addressRange) {
      List<Address> behind = all.stream().filter(addressRange::isAfter).toList();
      boolean more = behind.size() > addressRange.limit();
      List<Address> some = more ? behind.subList(0, addressRange.limit()) : behind;
      return new AddressPage(
          some, more ? Optional.of(some.get(some.size() - 1)) : Optional.empty());
    }
  }

  /** Sets the upstream that an address is pulled from and pushed to. */
  public void setUpstream(Upstream upstream) {
    Remote unused = get(upstream.remote());
    book.setUpstream(upstream);
  }

  /** Returns every address that has an upstream. */
  public List<Upstream> upstreams() {
    return book.upstreams();
  }

  /** Returns the upstream that an address is pulled from and pushed to, if one is set. */
  public Optional<Upstream> upstream(Address local) {
    return book.upstream(local);
  }

  /** Looks which names there are on a remote, and where they are. Nothing else here changes. */
  public FetchOutcome fetch(RemoteName name) {
    return fetch(name, AddressRange.all());
  }

  /**
   * Fetches the names in a range of addresses that are on a remote, or were. No other state here
   * changes.
   */
  public FetchOutcome fetch(RemoteName name, AddressRange addressRange) {
    Remote remote = get(name);
    RemoteRefStore remoteRefStore = new RemoteRefStore(documents, name);
    // Before the look: a state that another process has found since is newer, and stays.
    SortedSet<Address> both = remoteRefStore.addresses();
    SortedMap<Address, RemoteRef> known =
        remoteRefStore.of(AddressPage.of(both, addressRange).addresses());
    SortedMap<Address, RemoteRef> there = scan(remote, addressRange, () -> !both.isEmpty());
    both.addAll(there.keySet());
    AddressPage addressPage = AddressPage.of(both, addressRange);
    List<Address> updated = new ArrayList<>();
    List<Address> unchanged = new ArrayList<>();
    List<Address> gone = new ArrayList<>();
    List<Runnable> news = new ArrayList<>();
    for (Address address : addressPage.addresses()) {
      Optional<RemoteRef> found = Optional.ofNullable(there.get(address));
      Optional<RemoteRef> before = Optional.ofNullable(known.get(address));
      if (found.isEmpty()) {
        before.ifPresent(
            last -> {
              gone.add(address);
              news.add(() -> remoteRefStore.removeIf(last));
            });
      } else if (before.filter(found.get()::isEquivalentTo).isPresent()) {
        unchanged.add(address);
      } else {
        updated.add(address);
        news.add(() -> remoteRefStore.replace(before, found.get()));
      }
    }
    new Parallel().run(news);
    return new FetchOutcome(name, updated, unchanged, gone, addressPage.last());
  }

  /** Reads one more record than is wanted, which tells whether there are more. */
  private SortedMap<Address, RemoteRef> scan(
      Remote remote, AddressRange addressRange, BooleanSupplier known) {
    Instant now = documents.clock().instant();
    RecordFilter some = RecordFilter.all().atMost(addressRange.limit() + 1L);
    RecordFilter wanted = addressRange.after().map(some::after).orElse(some);
    SortedMap<Address, RemoteRef> found = new TreeMap<>();
    try (NameService there = transferOptions.opener().apply(remote.location());
        Stream<NameRecord> records = there.list(wanted)) {
      records.forEach(
          record -> found.put(record.address(), RemoteRef.of(remote.name(), record, now)));
      if (found.isEmpty()) {
        requireStore(remote, there, known);
      }
    }
    return found;
  }

  /**
   * Refuses to take the absence of a store for the absence of names. A server tells by itself when
   * its store is gone.
   *
   * @param known whether names were found there before
   */
  private static void requireStore(Remote remote, NameService there, BooleanSupplier known) {
    Optional<ObjectStore> store = remote.isServer() ? Optional.empty() : there.objects();
    if (store.isEmpty() || store.get().exists()) {
      return;
    }
    if (known.getAsBoolean()) {
      throw new StoreGoneException(
          "the store of the remote "
              + remote.name()
              + " in "
              + remote.location()
              + " is gone: names were found there before; mount or restore"
              + " it, or forget it with 'remote remove "
              + remote.name()
              + "'");
    }
    throw new StoreUnavailableException(
        "there is no store in "
            + remote.location()
            + ", where the remote "
            + remote.name()
            + " is to be; check the location, or push to it, which makes the store");
  }

  /** A location that is misspelt doesn't become a remote. */
  private void requireStore(Remote remote) {
    if (!remote.isServer()) {
      try (NameService there = transferOptions.opener().apply(remote.location())) {
        requireStore(remote, there, () -> false);
      }
    }
  }

  /**
   * Moves an address here to where it is on a remote.
   *
   * @param remoteSelector which remote, and what it is called there; what isn't said is as upstream
   *     has it
   */
  public TransferOutcome pull(Address local, RemoteSelector remoteSelector) {
    return run(Direction.PULL, local, remoteSelector);
  }

  /** Moves an address on a remote to where it is here. */
  public TransferOutcome push(Address local, RemoteSelector remoteSelector) {
    return run(Direction.PUSH, local, remoteSelector);
  }

  /**
   * The other side of a push or a pull.
   *
   * @param remote empty for that of the upstream
   * @param address empty for that of the upstream if that is on the same remote, or else for the
   *     one it has here
   */
  public record RemoteSelector(Optional<RemoteName> remote, Optional<Address> address) {

    /** Returns the selector of the upstream. */
    public static RemoteSelector upstream() {
      return new RemoteSelector(Optional.empty(), Optional.empty());
    }

    public static RemoteSelector on(RemoteName remote) {
      return new RemoteSelector(Optional.of(remote), Optional.empty());
    }

    public static RemoteSelector at(RemoteName remote, Address address) {
      return new RemoteSelector(Optional.of(remote), Optional.of(address));
    }
  }

  /**
   * Returns the remote address that is meant; empty when neither the selector nor an upstream names
   * one.
   */
  public Optional<Upstream> resolve(Address local, RemoteSelector remoteSelector) {
    Optional<Upstream> upstream =
        upstream(local)
            .filter(known -> remoteSelector.remote().map(known.remote()::equals).orElse(true));
    return remoteSelector
        .remote()
        .or(() -> upstream.map(Upstream::remote))
        .map(
            remote ->
                new Upstream(
                    local,
                    remote,
                    remoteSelector
                        .address()
                        .or(() -> upstream.map(Upstream::there))
                        .orElse(local)));
  }

  private TransferOutcome run(Direction direction, Address local, RemoteSelector remoteSelector) {
    Optional<Upstream> meant = resolve(local, remoteSelector);
    return meant.isEmpty()
        ? new TransferOutcome.NoUpstream(local)
        : run(direction, meant.get(), get(meant.get().remote()));
  }

  private TransferOutcome run(Direction direction, Upstream pair, Remote remote) {
    RemoteRefStore remoteRefStore = new RemoteRefStore(documents, remote.name());
    try (NameService there = transferOptions.opener().apply(remote.location())) {
      TransferEndpoint here = new TransferEndpoint(names, pair.local(), transferOptions.places());
      TransferEndpoint other = new TransferEndpoint(there, pair.there(), places(remote));
      boolean push = direction == Direction.PUSH;
      BooleanSupplier known = () -> !remoteRefStore.addresses().isEmpty();
      if (there.find(pair.there()).isEmpty() && (!push || known.getAsBoolean())) {
        requireStore(remote, there, known); // a push may make a store where there never was one
      }
      Transfer transfer =
          new Transfer(
              direction,
              push ? here : other,
              push ? other : here,
              new Transfer.Settings(transferOptions.ledgers(), transferOptions.progress()));
      RecordTransferResult done = transfer.run(record -> isKnown(remoteRefStore, record));
      done.remote()
          .filter(record -> updatesRemoteRef(done.outcome()))
          .map(record -> RemoteRef.of(remote.name(), record, documents.clock().instant()))
          .ifPresent(remoteRefStore::store);
      return done.outcome();
    }
  }

  /**
   * Returns where ledgers of a remote may be. What a server says of it is meant for the machine
   * that it runs on; here it would be another place, or anybody's.
   */
  private LocationPolicy places(Remote remote) {
    return (address, objects) -> {
      if (remote.isServer() && isAbsoluteLocation(objects)) {
        throw new RefusedException(
            address
                + " on "
                + remote.name()
                + " has its objects in a store of its own, which the server doesn't hand on; make"
                + " that store a remote");
      }
      transferOptions.places().requireAllowed(address, objects);
    };
  }

  private static boolean isAbsoluteLocation(String objects) {
    return objects.contains(":") || objects.startsWith("/");
  }

  private static boolean isKnown(RemoteRefStore remoteRefStore, NameRecord there) {
    return remoteRefStore.find(there.address()).filter(found -> found.isUnmoved(there)).isPresent();
  }

  /**
   * Returns whether the remote's state after a transfer counts as seen. A push of a name replaces
   * what was seen last, so the head of a remote that has nothing in common with the one here isn't
   * remembered: it may belong to a record that was purged and created anew. Only a fetch is an
   * explicit look at the remote.
   */
  private static boolean updatesRemoteRef(TransferOutcome transferOutcome) {
    boolean unrelated =
        transferOutcome instanceof TransferOutcome.Diverged diverged && diverged.common().isEmpty();
    return !unrelated && !(transferOutcome instanceof TransferOutcome.Rejected);
  }

  /**
   * Makes a ledger here that is on another store, as its upstream. Doing it again completes what
   * was interrupted, or pulls.
   *
   * @param origin name of the other store here
   */
  public TransferOutcome cloneLedger(
      RemoteName origin, String location, Address there, Address local) {
    Remote remote = Remote.of(origin, location);
    requireStore(remote);
    book.add(remote);
    Upstream pair = new Upstream(local, origin, there);
    TransferOutcome transferOutcome = run(Direction.PULL, pair, remote);
    if (!(transferOutcome instanceof TransferOutcome.NotFound
        || transferOutcome instanceof TransferOutcome.Diverged)) {
      setUpstream(pair);
    }
    return transferOutcome;
  }
}
