// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.ledger.internal.named.Places;
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
import io.tidemark.remotes.transfer.End;
import io.tidemark.remotes.transfer.Outcome;
import io.tidemark.remotes.transfer.Transfer;
import io.tidemark.remotes.transfer.Transferred;
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
  private final RemoteBook book;
  private final Means means;

  /** Those of a nameservice that has an object store, where they are remembered. */
  public Remotes(NameService names) {
    this(names, Means.standard());
  }

  public Remotes(NameService names, Means means) {
    this.names = names;
    this.documents = SyncDocuments.of(names);
    this.book = new RemoteBook(documents);
    this.means = means;
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
    new Tracking(documents, name).forgetAll();
    return known;
  }

  /** All remotes, by name. */
  public List<Remote> list() {
    return book.list();
  }

  /** A remote. */
  public Remote get(RemoteName name) {
    return book.find(name).orElseThrow(() -> new UnknownRemoteException(name));
  }

  /** What was found on a remote when somebody looked last, by address. */
  public List<Tracked> tracked(RemoteName name) {
    return tracked(name, Span.all()).found();
  }

  /** The same of some of the addresses there. */
  public Seen tracked(RemoteName name, Span span) {
    Tracking tracking = new Tracking(documents, name);
    Page page = Page.of(tracking.addresses(), span);
    return new Seen(List.copyOf(tracking.of(page.addresses()).values()), page.last());
  }

  /**
   * What was found of some addresses.
   *
   * @param last the last that was looked at, if there are more behind it
   */
  public record Seen(List<Tracked> found, Optional<Address> last) {}

  /** The addresses of a span, and the last of them if there are more. */
  private record Page(List<Address> addresses, Optional<Address> last) {
    static Page of(SortedSet<Address> all, Span span) {
      List<Address> behind = all.stream().filter(span::isAfter).toList();
      boolean more = behind.size() > span.limit();
      List<Address> some = more ? behind.subList(0, span.limit()) : behind;
      return new Page(some, more ? Optional.of(some.get(some.size() - 1)) : Optional.empty());
    }
  }

  /** Says what an address is pulled from and pushed to. */
  public void follow(Upstream upstream) {
    Remote unused = get(upstream.remote());
    book.follow(upstream);
  }

  /** Every address that has an upstream. */
  public List<Upstream> upstreams() {
    return book.upstreams();
  }

  /** What an address is pulled from and pushed to, if anybody said. */
  public Optional<Upstream> upstream(Address local) {
    return book.upstream(local);
  }

  /** Looks which names there are on a remote, and where they are. Nothing else here changes. */
  public Fetched fetch(RemoteName name) {
    return fetch(name, Span.all());
  }

  /** The same with some of the names that are there, or were. */
  public Fetched fetch(RemoteName name, Span span) {
    Remote remote = get(name);
    Tracking tracking = new Tracking(documents, name);
    // Before the look: what somebody else has found since is newer, and stays.
    SortedSet<Address> both = tracking.addresses();
    SortedMap<Address, Tracked> known = tracking.of(Page.of(both, span).addresses());
    SortedMap<Address, Tracked> there = look(remote, span, () -> !both.isEmpty());
    both.addAll(there.keySet());
    Page page = Page.of(both, span);
    List<Address> updated = new ArrayList<>();
    List<Address> unchanged = new ArrayList<>();
    List<Address> gone = new ArrayList<>();
    List<Runnable> news = new ArrayList<>();
    for (Address address : page.addresses()) {
      Optional<Tracked> found = Optional.ofNullable(there.get(address));
      Optional<Tracked> before = Optional.ofNullable(known.get(address));
      if (found.isEmpty()) {
        before.ifPresent(
            last -> {
              gone.add(address);
              news.add(() -> tracking.forget(last));
            });
      } else if (before.filter(found.get()::saysTheSameAs).isPresent()) {
        unchanged.add(address);
      } else {
        updated.add(address);
        news.add(() -> tracking.replace(before, found.get()));
      }
    }
    new Parallel().run(news);
    return new Fetched(name, updated, unchanged, gone, page.last());
  }

  /** One more than is wanted, by which to tell whether there are more. */
  private SortedMap<Address, Tracked> look(Remote remote, Span span, BooleanSupplier known) {
    Instant now = documents.clock().instant();
    RecordFilter some = RecordFilter.all().atMost(span.limit() + 1L);
    RecordFilter wanted = span.after().map(some::after).orElse(some);
    SortedMap<Address, Tracked> found = new TreeMap<>();
    try (NameService there = means.opener().apply(remote.location());
        Stream<NameRecord> records = there.list(wanted)) {
      records.forEach(
          record -> found.put(record.address(), Tracked.of(remote.name(), record, now)));
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
    if (store.isEmpty() || store.get().isThere()) {
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
      try (NameService there = means.opener().apply(remote.location())) {
        requireStore(remote, there, () -> false);
      }
    }
  }

  /**
   * Moves an address here to where it is on a remote.
   *
   * @param other which remote, and what it is called there; what isn't said is as upstream has it
   */
  public Outcome pull(Address local, Other other) {
    return run(Direction.PULL, local, other);
  }

  /** Moves an address on a remote to where it is here. */
  public Outcome push(Address local, Other other) {
    return run(Direction.PUSH, local, other);
  }

  /**
   * The other side of a push or a pull.
   *
   * @param remote empty for that of the upstream
   * @param address empty for that of the upstream if that is on the same remote, or else for the
   *     one it has here
   */
  public record Other(Optional<RemoteName> remote, Optional<Address> address) {

    /** What the upstream says. */
    public static Other upstream() {
      return new Other(Optional.empty(), Optional.empty());
    }

    public static Other on(RemoteName remote) {
      return new Other(Optional.of(remote), Optional.empty());
    }

    public static Other at(RemoteName remote, Address address) {
      return new Other(Optional.of(remote), Optional.of(address));
    }
  }

  /** The other side that is meant; empty when nobody said. */
  public Optional<Upstream> meant(Address local, Other other) {
    Optional<Upstream> upstream =
        upstream(local).filter(known -> other.remote().map(known.remote()::equals).orElse(true));
    return other
        .remote()
        .or(() -> upstream.map(Upstream::remote))
        .map(
            remote ->
                new Upstream(
                    local,
                    remote,
                    other.address().or(() -> upstream.map(Upstream::there)).orElse(local)));
  }

  private Outcome run(Direction direction, Address local, Other other) {
    Optional<Upstream> meant = meant(local, other);
    return meant.isEmpty()
        ? new Outcome.NoUpstream(local)
        : run(direction, meant.get(), get(meant.get().remote()));
  }

  private Outcome run(Direction direction, Upstream pair, Remote remote) {
    Tracking tracking = new Tracking(documents, remote.name());
    try (NameService there = means.opener().apply(remote.location())) {
      End here = new End(names, pair.local(), means.places());
      End other = new End(there, pair.there(), places(remote));
      boolean push = direction == Direction.PUSH;
      BooleanSupplier known = () -> !tracking.addresses().isEmpty();
      if (there.find(pair.there()).isEmpty() && (!push || known.getAsBoolean())) {
        requireStore(remote, there, known); // a push may make a store where there never was one
      }
      Transfer transfer =
          new Transfer(
              direction,
              push ? here : other,
              push ? other : here,
              new Transfer.Settings(means.ledgers(), means.progress()));
      Transferred done = transfer.run(record -> isKnown(tracking, record));
      done.remote()
          .filter(record -> isNews(done.outcome()))
          .map(record -> Tracked.of(remote.name(), record, documents.clock().instant()))
          .ifPresent(tracking::keep);
      return done.outcome();
    }
  }

  /**
   * Where ledgers of a remote may be. What a server says of it is meant for the machine that it
   * runs on; here it would be another place, or anybody's.
   */
  private Places places(Remote remote) {
    return (address, objects) -> {
      if (remote.isServer() && isElsewhere(objects)) {
        throw new RefusedException(
            address
                + " on "
                + remote.name()
                + " has its objects in a store of its own, which the server doesn't hand on; make"
                + " that store a remote");
      }
      means.places().require(address, objects);
    };
  }

  private static boolean isElsewhere(String objects) {
    return objects.contains(":") || objects.startsWith("/");
  }

  private static boolean isKnown(Tracking tracking, NameRecord there) {
    return tracking.find(there.address()).filter(found -> found.isUnmoved(there)).isPresent();
  }

  /**
   * Whether what is there now counts as seen. A push of a name replaces what was seen last, so the
   * head of a remote that has nothing in common with the one here isn't remembered: it may belong
   * to a record that was purged and created anew. Only a fetch says that somebody chose to look.
   */
  private static boolean isNews(Outcome outcome) {
    boolean unrelated = outcome instanceof Outcome.Diverged diverged && diverged.common().isEmpty();
    return !unrelated && !(outcome instanceof Outcome.Rejected);
  }

  /**
   * Makes a ledger here that is on another store, as its upstream. Doing it again completes what
   * was interrupted, or pulls.
   *
   * @param origin what the other store is to be called here
   */
  public Outcome cloneLedger(RemoteName origin, String location, Address there, Address local) {
    Remote remote = Remote.of(origin, location);
    requireStore(remote);
    book.add(remote);
    Upstream pair = new Upstream(local, origin, there);
    Outcome outcome = run(Direction.PULL, pair, remote);
    if (!(outcome instanceof Outcome.NotFound || outcome instanceof Outcome.Diverged)) {
      follow(pair);
    }
    return outcome;
  }
}
