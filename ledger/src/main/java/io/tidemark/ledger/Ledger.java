// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.internal.branch.Branches;
import io.tidemark.ledger.internal.branch.Diff;
import io.tidemark.ledger.internal.branch.Merge;
import io.tidemark.ledger.internal.branch.Point;
import io.tidemark.ledger.internal.branch.Points;
import io.tidemark.ledger.internal.branch.Resolution;
import io.tidemark.ledger.internal.branch.Standing;
import io.tidemark.ledger.internal.branch.Takeover;
import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.SchemaLife;
import io.tidemark.ledger.internal.catalog.ValidatedTypes;
import io.tidemark.ledger.internal.commit.CommitProtocol;
import io.tidemark.ledger.internal.commit.Reconciler;
import io.tidemark.ledger.internal.compact.Compaction;
import io.tidemark.ledger.internal.compact.Superseded;
import io.tidemark.ledger.internal.state.Adoption;
import io.tidemark.ledger.internal.state.Base;
import io.tidemark.ledger.internal.state.Heads;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.store.Chain;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.verify.Verification;
import io.tidemark.ledger.query.Queries;
import io.tidemark.ledger.query.QueryEngine;
import io.tidemark.ledger.schema.RecordType;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.ledger.store.UnknownCommitException;
import io.tidemark.objects.ObjectStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Typed entities and relations in commits that never change.
 *
 * <p>Initialise one with {@link LedgerInit}, open it here, write with a {@link Session}, read with
 * {@link #log()} and {@link #query()}. Safe for use by any number of threads, except sessions,
 * which are for one each; their commits take turns, and share the lock that keeps other processes
 * out.
 */
public final class Ledger implements AutoCloseable {

  private final Parts parts;
  private final QueryEngine queries;

  /** What the parts of a ledger share. */
  record Parts(
      LedgerObjects objects,
      Chain chain,
      Heads heads,
      CommitProtocol protocol,
      Catalog catalog,
      ValidatedTypes validated,
      Reconciler reconciler,
      Compaction compaction,
      LedgerOptions options) {}

  private Ledger(Parts parts) {
    this.parts = parts;
    this.queries =
        new QueryEngine(
            parts.objects(),
            parts.chain(),
            parts.heads(),
            parts.catalog(),
            parts.options().queries());
  }

  /**
   * Opens a ledger.
   *
   * @param prefix where in the store; empty or with {@code /} at its end
   * @throws io.tidemark.ledger.store.UninitializedLedgerException when there is none
   */
  public static Ledger open(ObjectStore store, String prefix, LedgerOptions options) {
    return open(new LedgerObjects(store, prefix), options);
  }

  /**
   * Opens a branch of a ledger, which is then written and read like any ledger.
   *
   * @throws io.tidemark.ledger.store.UninitializedLedgerException when there is none
   */
  public static Ledger open(LedgerObjects place, LedgerOptions options) {
    Engine.check(place);
    LedgerObjects objects = Heads.home(place);
    Chain chain = new Chain(objects);
    Heads heads = new Heads(objects, chain);
    heads.refresh();
    Catalog catalog = new Catalog(objects, chain);
    Compaction compaction = new Compaction(objects, chain, heads, catalog);
    CommitProtocol protocol =
        new CommitProtocol(objects, chain, heads, options.publisher(), options.writer());
    String runtimeId = options.writer().runtimeId();
    return new Ledger(
        new Parts(
            objects,
            chain,
            heads,
            protocol,
            catalog,
            new ValidatedTypes(catalog, heads, protocol, runtimeId),
            new Reconciler(protocol, objects, chain),
            compaction,
            options));
  }

  /** A session that writes these types. */
  public Session session(Collection<TypeSchema> types) {
    return session(types, parts.options().maxBatchSize());
  }

  /** A session that writes these types, so many assertions at a time. */
  public Session session(Collection<TypeSchema> types, int maxBatchSize) {
    return new Session(this, parts, types, maxBatchSize);
  }

  /** A session that writes records of these types. */
  public Session session(RecordType<?>... types) {
    return session(Stream.of(types).map(RecordType::schema).toList());
  }

  /**
   * Writes in a session that commits when the work has come to its end, and doesn't when it fails.
   *
   * @return the commit; empty when there was nothing to change
   */
  public Optional<Commit> write(
      Collection<TypeSchema> types, Map<String, String> metadata, Consumer<Session> work) {
    try (Session session = session(types)) {
      work.accept(session);
      return session.commit(metadata);
    }
  }

  /** What has been committed. */
  public CommitLog log() {
    return new CommitLog(parts);
  }

  /** What is in it now. */
  public Contents contents() {
    return new Contents(parts);
  }

  /** Questions about what is in it, now or at any time before. */
  public Queries query() {
    return new Queries(queries);
  }

  /** Where it is, and whether all is well with it. */
  public LedgerInfo info() {
    return LedgerInfo.of(parts, indices());
  }

  /** Its types. */
  public SchemaLife schemas() {
    return new SchemaLife(
        parts.catalog(),
        parts.protocol(),
        new LatestRows(parts.objects(), parts.chain()),
        parts.options().writer().runtimeId());
  }

  /** Its indices. */
  public IndexCare indices() {
    return new IndexCare(parts);
  }

  /** Verifies its manifests, data files and snapshots, of all branches. */
  public Verification verification() {
    return new Verification(parts.objects());
  }

  /** Puts the rows of many commits into few files. */
  public Compaction compaction() {
    return parts.compaction();
  }

  /** Snapshots that compaction has no more use for. */
  public Superseded superseded() {
    return new Superseded(parts.objects());
  }

  /** Its branches; new ones are made from the one that is open here. */
  public Branches branches() {
    return new Branches(parts.objects(), parts.chain(), parts.heads(), parts.options().writer());
  }

  /** What it would come to, or comes to, to take in what was committed on another branch. */
  public Merge merge(BranchName source, Resolution resolution) {
    return new Merge(target(), source, resolution);
  }

  private Merge.Target target() {
    return new Merge.Target(
        parts.objects(), parts.chain(), parts.protocol(), parts.catalog(), parts.validated());
  }

  /** Where it stands now, for others to compare with or to take over. */
  public Standing standing() {
    Base seen = parts.heads().refresh();
    return new Standing(
        parts.objects(),
        parts.chain(),
        new Base(
            seen.versioned(), seen.newest().map(newest -> Adoption.of(parts.chain(), newest))));
  }

  /**
   * Moves on to where the same ledger stands in another store, from where all commits that are
   * missing here have been copied.
   */
  public Takeover takeover(Standing elsewhere) {
    return new Takeover(target(), elsewhere);
  }

  /**
   * Returns how two states differ, of this branch or of others.
   *
   * @param read told now and then how many rows have been read
   * @throws io.tidemark.ledger.internal.branch.UnknownBranchException when there is no such branch
   * @throws UnknownCommitException when there is no such commit
   */
  public Diff diff(Point from, Point to, LongConsumer read) {
    return new Points(parts.objects(), parts.chain()).diff(from, to, read);
  }

  /** What is left over of attempts that came to nothing. */
  public Leftovers leftovers() {
    return new Leftovers(parts);
  }

  /** Waits until indices and the nameservice have followed the commits of this process. */
  public void flush() {
    parts.protocol().flush();
  }

  /** What went wrong after the last commit, if anything did: that an index lags, for example. */
  public Optional<String> lastWarning() {
    return parts.protocol().lastWarning();
  }

  /**
   * Ends writing within the limit, for a process that has to go, from any thread: a commit that is
   * just happening happens, one that isn't fails with {@link
   * io.tidemark.ledger.commit.WritingStoppedException}, and others get the lock at once.
   */
  public void stop(Duration limit) {
    parts.protocol().stop(limit);
  }

  /** Finishes what follows commits, and gives the lock back. The store stays open. */
  @Override
  public void close() {
    queries.close();
    parts.protocol().close();
  }
}
