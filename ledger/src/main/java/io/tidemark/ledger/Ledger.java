// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.internal.branch.BranchMerge;
import io.tidemark.ledger.internal.branch.BranchPosition;
import io.tidemark.ledger.internal.branch.BranchStore;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.Diff;
import io.tidemark.ledger.internal.branch.RemoteFastForward;
import io.tidemark.ledger.internal.branch.Revision;
import io.tidemark.ledger.internal.branch.RevisionResolver;
import io.tidemark.ledger.internal.catalog.Catalog;
import io.tidemark.ledger.internal.catalog.SchemaService;
import io.tidemark.ledger.internal.catalog.SchemaValidator;
import io.tidemark.ledger.internal.commit.CommitProtocol;
import io.tidemark.ledger.internal.commit.Reconciler;
import io.tidemark.ledger.internal.compact.Compaction;
import io.tidemark.ledger.internal.compact.ObsoleteSnapshots;
import io.tidemark.ledger.internal.state.HeadCache;
import io.tidemark.ledger.internal.state.LatestRows;
import io.tidemark.ledger.internal.state.ManifestCompleter;
import io.tidemark.ledger.internal.state.PinnedHead;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.ledger.internal.store.ManifestChain;
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
 * Ledger of typed entities and relations in immutable commits.
 *
 * <p>Initialise one with {@link LedgerInitializer}, open it here, write with a {@link Session},
 * read with {@link #log()} and {@link #query()}. Safe for use by any number of threads, except
 * sessions, which are for one each; their commits take turns, and share the lock that keeps other
 * processes out.
 */
public final class Ledger implements AutoCloseable {

  private final LedgerComponents ledgerComponents;
  private final QueryEngine queries;

  /** Components that the services of a ledger share. */
  record LedgerComponents(
      LedgerObjects objects,
      ManifestChain chain,
      HeadCache heads,
      CommitProtocol protocol,
      Catalog catalog,
      SchemaValidator validated,
      Reconciler reconciler,
      Compaction compaction,
      LedgerOptions options) {}

  private Ledger(LedgerComponents ledgerComponents) {
    this.ledgerComponents = ledgerComponents;
    this.queries =
        new QueryEngine(
            ledgerComponents.objects(),
            ledgerComponents.chain(),
            ledgerComponents.heads(),
            ledgerComponents.catalog(),
            ledgerComponents.options().queries());
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
    FormatVersion.check(place);
    LedgerObjects objects = HeadCache.branchObjects(place);
    ManifestChain manifestChain = new ManifestChain(objects);
    HeadCache headCache = new HeadCache(objects, manifestChain);
    headCache.refresh();
    Catalog catalog = new Catalog(objects, manifestChain);
    Compaction compaction = new Compaction(objects, manifestChain, headCache, catalog);
    CommitProtocol protocol =
        new CommitProtocol(
            objects, manifestChain, headCache, options.publisher(), options.writer());
    String runtimeId = options.writer().runtimeId();
    return new Ledger(
        new LedgerComponents(
            objects,
            manifestChain,
            headCache,
            protocol,
            catalog,
            new SchemaValidator(catalog, headCache, protocol, runtimeId),
            new Reconciler(protocol, objects, manifestChain),
            compaction,
            options));
  }

  /** Returns a session that writes these types. */
  public Session session(Collection<TypeSchema> types) {
    return session(types, ledgerComponents.options().maxBatchSize());
  }

  /** Returns a session that writes these types, with a maximum number of assertions per commit. */
  public Session session(Collection<TypeSchema> types, int maxBatchSize) {
    return new Session(this, ledgerComponents, types, maxBatchSize);
  }

  /** Returns a session that writes records of these types. */
  public Session session(RecordType<?>... types) {
    return session(Stream.of(types).map(RecordType::schema).toList());
  }

  /**
   * Runs work in a session, and commits when the work ends normally; doesn't commit when it fails.
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

  /** Returns the log of commits. */
  public CommitLog log() {
    return new CommitLog(ledgerComponents);
  }

  /** Returns a reader of the current rows. */
  public LedgerReader reader() {
    return new LedgerReader(ledgerComponents);
  }

  /** Returns the queries of the ledger, as of now or of any earlier moment. */
  public Queries query() {
    return new Queries(queries);
  }

  /** Returns the location and the condition of the ledger. */
  public LedgerInfo info() {
    return LedgerInfo.of(ledgerComponents, indices());
  }

  /** Returns the service for its types. */
  public SchemaService schemas() {
    return new SchemaService(
        ledgerComponents.catalog(),
        ledgerComponents.protocol(),
        new LatestRows(ledgerComponents.objects(), ledgerComponents.chain()),
        ledgerComponents.options().writer().runtimeId());
  }

  /** Returns the maintenance of its indices. */
  public IndexMaintenance indices() {
    return new IndexMaintenance(ledgerComponents);
  }

  /** Returns the verification of the manifests, data files and snapshots of all branches. */
  public Verification verification() {
    return new Verification(ledgerComponents.objects());
  }

  /** Returns the compaction, which merges the rows of many commits into few files. */
  public Compaction compaction() {
    return ledgerComponents.compaction();
  }

  /** Returns the collector of snapshots that compaction made obsolete. */
  public ObsoleteSnapshots obsoleteSnapshots() {
    return new ObsoleteSnapshots(ledgerComponents.objects());
  }

  /** Returns the store of its branches; new ones begin at the branch that is open here. */
  public BranchStore branches() {
    return new BranchStore(
        ledgerComponents.objects(),
        ledgerComponents.chain(),
        ledgerComponents.heads(),
        ledgerComponents.options().writer());
  }

  /**
   * Returns a merge of the commits of another branch into this one, to be planned or carried out.
   */
  public BranchMerge merge(BranchName source, ConflictResolution conflictResolution) {
    return new BranchMerge(target(), source, conflictResolution);
  }

  private BranchMerge.Target target() {
    return new BranchMerge.Target(
        ledgerComponents.objects(),
        ledgerComponents.chain(),
        ledgerComponents.protocol(),
        ledgerComponents.catalog(),
        ledgerComponents.validated());
  }

  /**
   * Returns the current position of this branch, to compare another one with or to fast-forward to.
   */
  public BranchPosition position() {
    PinnedHead seen = ledgerComponents.heads().refresh();
    return new BranchPosition(
        ledgerComponents.objects(),
        ledgerComponents.chain(),
        new PinnedHead(
            seen.versioned(),
            seen.newest()
                .map(newest -> ManifestCompleter.complete(ledgerComponents.chain(), newest))));
  }

  /**
   * Returns a fast-forward to the position of the same ledger in another store, from which all
   * missing commits have been copied.
   */
  public RemoteFastForward fastForward(BranchPosition elsewhere) {
    return new RemoteFastForward(target(), elsewhere);
  }

  /**
   * Returns the difference of two states, of this branch or of any others.
   *
   * @param read receives the number of rows read so far, now and then
   * @throws io.tidemark.ledger.internal.branch.UnknownBranchException when there is no such branch
   * @throws UnknownCommitException when there is no such commit
   */
  public Diff diff(Revision from, Revision to, LongConsumer read) {
    return new RevisionResolver(ledgerComponents.objects(), ledgerComponents.chain())
        .diff(from, to, read);
  }

  /** Returns the collector of objects that failed attempts left behind. */
  public OrphanCollector orphans() {
    return new OrphanCollector(ledgerComponents);
  }

  /** Waits until the indices and the nameservice have followed the commits of this process. */
  public void flush() {
    ledgerComponents.protocol().flush();
  }

  /**
   * Returns the failure that followed the last commit, if there was one: a stale index, for
   * example.
   */
  public Optional<String> lastWarning() {
    return ledgerComponents.protocol().lastWarning();
  }

  /**
   * Stops writing within the limit, for a process that has to end. May be called from any thread. A
   * commit whose head is being replaced completes; any other fails with {@link
   * io.tidemark.ledger.commit.WritingStoppedException}. The lock is released at once.
   */
  public void stop(Duration limit) {
    ledgerComponents.protocol().stop(limit);
  }

  /** Finishes the work that follows commits, and releases the lock. The store stays open. */
  @Override
  public void close() {
    queries.close();
    ledgerComponents.protocol().close();
  }
}
