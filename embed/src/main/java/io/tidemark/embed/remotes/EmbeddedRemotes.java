// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.remotes;

import io.tidemark.api.remotes.CloneRequest;
import io.tidemark.api.remotes.FetchResult;
import io.tidemark.api.remotes.RemoteDetails;
import io.tidemark.api.remotes.RemoteLocation;
import io.tidemark.api.remotes.RemoteRequest;
import io.tidemark.api.remotes.RemoteService;
import io.tidemark.api.remotes.RemoteSummary;
import io.tidemark.api.remotes.RemoteSummary.Follower;
import io.tidemark.api.remotes.RemoteTransfers;
import io.tidemark.api.remotes.RemovedRemote;
import io.tidemark.api.remotes.TransferProgress;
import io.tidemark.api.remotes.TransferRequest;
import io.tidemark.api.remotes.TransferResult;
import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.remotes.AddressRange;
import io.tidemark.remotes.FetchOutcome;
import io.tidemark.remotes.Remote;
import io.tidemark.remotes.RemoteName;
import io.tidemark.remotes.RemoteRef;
import io.tidemark.remotes.Remotes;
import io.tidemark.remotes.Remotes.RemoteSelector;
import io.tidemark.remotes.TransferOptions;
import io.tidemark.remotes.UnknownRemoteException;
import io.tidemark.remotes.Upstream;
import io.tidemark.remotes.transfer.CopyProgress;
import io.tidemark.remotes.transfer.TransferOutcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Remotes of a nameservice, in this process. */
public final class EmbeddedRemotes implements RemoteService, RemoteTransfers {

  private final NameService names;
  private final TransferOptions transferOptions;

  /** Remotes of names that are in an object store, or have one beside them. */
  public EmbeddedRemotes(NameService names, TransferOptions transferOptions) {
    this.names = names;
    this.transferOptions = transferOptions;
  }

  private Remotes remotes() {
    return new Remotes(names, transferOptions);
  }

  @Override
  public List<RemoteSummary> list() {
    Remotes remotes = remotes();
    List<Upstream> upstreams = remotes.upstreams();
    return remotes.list().stream()
        .map(
            each ->
                new RemoteSummary(each.name().text(), each.location(), followers(each, upstreams)))
        .toList();
  }

  private static List<Follower> followers(Remote remote, List<Upstream> upstreams) {
    return upstreams.stream()
        .filter(each -> each.remote().equals(remote.name()))
        .map(each -> new Follower(each.local().toString(), each.there().toString()))
        .toList();
  }

  @Override
  public RemoteDetails get(RemoteRequest request) {
    Remotes remotes = remotes();
    Remote remote = remotes.get(new RemoteName(request.remote()));
    List<Upstream> upstreams = request.cursor().isEmpty() ? remotes.upstreams() : List.of();
    Remotes.RemoteRefPage remoteRefPage = remotes.tracked(remote.name(), span(request));
    return new RemoteDetails(
        remote.name().text(),
        remote.location(),
        followers(remote, upstreams),
        remoteRefPage.found().stream().map(EmbeddedRemotes::tracked).toList(),
        remoteRefPage.last().map(Address::toString));
  }

  private static RemoteDetails.Tracked tracked(RemoteRef found) {
    return new RemoteDetails.Tracked(
        found.address().toString(),
        found.commit(),
        found.index(),
        found.retracted(),
        found.fetched());
  }

  private static AddressRange span(RemoteRequest request) {
    return new AddressRange(request.cursor().map(Address::parse), request.limit());
  }

  @Override
  public RemoteLocation add(String remote, String location) {
    Remote added = remotes().add(new RemoteName(remote), location);
    return new RemoteLocation(added.name().text(), added.location());
  }

  @Override
  public RemovedRemote remove(String remote) {
    RemoteName name = new RemoteName(remote);
    if (!remotes().remove(name)) {
      throw new UnknownRemoteException(name);
    }
    return new RemovedRemote(remote);
  }

  @Override
  public FetchResult fetch(RemoteRequest request) {
    FetchOutcome fetched = remotes().fetch(new RemoteName(request.remote()), span(request));
    return new FetchResult(
        request.remote(),
        texts(fetched.updated()),
        texts(fetched.unchanged()),
        texts(fetched.pruned()),
        fetched.last().map(Address::toString));
  }

  private static List<String> texts(List<Address> addresses) {
    return addresses.stream().map(Address::toString).toList();
  }

  @Override
  public RemoteTransfers transfers() {
    return this;
  }

  @Override
  public TransferResult push(TransferRequest request, Consumer<TransferProgress> listener) {
    return transfer(request, listener, Remotes::push);
  }

  @Override
  public TransferResult pull(TransferRequest request, Consumer<TransferProgress> listener) {
    return transfer(request, listener, Remotes::pull);
  }

  /** Push or pull. */
  private interface Direction {
    TransferOutcome run(Remotes remotes, Address local, RemoteSelector remoteSelector);
  }

  private TransferResult transfer(
      TransferRequest request, Consumer<TransferProgress> listener, Direction direction) {
    Remotes remotes = copying(listener);
    Address local = Address.parse(request.local());
    RemoteSelector remoteSelector =
        new RemoteSelector(
            request.remote().map(RemoteName::new), request.there().map(Address::parse));
    Optional<Upstream> pair = remotes.resolve(local, remoteSelector);
    TransferOutcome transferOutcome = direction.run(remotes, local, remoteSelector);
    boolean together =
        transferOutcome instanceof TransferOutcome.Created
            || transferOutcome instanceof TransferOutcome.FastForwarded
            || transferOutcome instanceof TransferOutcome.UpToDate;
    if (request.follow() && together) {
      pair.ifPresent(remotes::setUpstream);
    }
    return pair.map(sides -> result(sides, transferOutcome))
        .orElseGet(() -> new TransferResult.NoUpstream(request.local()));
  }

  @Override
  public TransferResult cloneLedger(CloneRequest request, Consumer<TransferProgress> listener) {
    Upstream pair =
        new Upstream(
            Address.parse(request.local().orElseThrow()),
            new RemoteName(request.origin().orElseThrow()),
            Address.parse(request.there()));
    TransferOutcome transferOutcome =
        copying(listener)
            .cloneLedger(pair.remote(), request.location(), pair.there(), pair.local());
    return result(pair, transferOutcome);
  }

  /**
   * Returns the remotes for a transfer that begins now. Threads that copy report side by side; a
   * report that is older than the last is dropped.
   */
  private Remotes copying(Consumer<TransferProgress> listener) {
    listener.accept(TransferProgress.none());
    CopyProgress progress =
        new CopyProgress() {
          private long last;

          @Override
          public synchronized void at(long commits, long ofCommits, long bytes) {
            if (commits >= last) {
              last = commits;
              listener.accept(new TransferProgress(commits, ofCommits, bytes));
            }
          }
        };
    return new Remotes(names, transferOptions.withProgress(progress));
  }

  private static TransferResult result(Upstream pair, TransferOutcome transferOutcome) {
    String local = pair.local().toString();
    String remote = pair.remote().text();
    String there = pair.there().toString();
    if (transferOutcome instanceof TransferOutcome.UpToDate found) {
      return new TransferResult.UpToDate(local, remote, there, found.local(), found.remote());
    } else if (transferOutcome instanceof TransferOutcome.FastForwarded moved) {
      return new TransferResult.FastForwarded(
          local, remote, there, moved.from(), moved.to(), moved.commits(), moved.bytes());
    } else if (transferOutcome instanceof TransferOutcome.Created made) {
      return new TransferResult.Created(
          local, remote, there, made.to(), made.commits(), made.bytes());
    } else if (transferOutcome instanceof TransferOutcome.Diverged found) {
      return new TransferResult.Diverged(
          local, remote, there, found.local(), found.remote(), found.common());
    } else if (transferOutcome instanceof TransferOutcome.Rejected found) {
      return new TransferResult.Rejected(local, remote, there, found.local(), found.remote());
    } else if (transferOutcome instanceof TransferOutcome.NotFound missing) {
      return new TransferResult.NotFound(
          local, remote, there, missing.address().toString(), missing.location());
    }
    return new TransferResult.NoUpstream(local);
  }
}
