// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Page;
import io.tidemark.api.ResultStream;
import io.tidemark.api.ledger.CommitChangesHeader;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.CommitsRequest;
import io.tidemark.api.ledger.DiffRequest;
import io.tidemark.api.ledger.DiffSummary;
import io.tidemark.api.ledger.LedgerCommits;
import io.tidemark.api.ledger.RowChange;
import io.tidemark.api.ledger.RowDifference;
import io.tidemark.ledger.Commit;
import io.tidemark.ledger.CommitLog;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.query.plan.CancellationToken;
import io.tidemark.ledger.store.UnknownCommitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Commits of a ledger in this process. */
record EmbeddedCommits(EmbeddedLedgerContext ledger) implements LedgerCommits {

  /** Commits that are looked at for a page, however few of them have the metadata asked for. */
  private static final int LOOKED_AT = 10_000;

  @Override
  public long head() {
    return ledger.with(open -> open.log().head().orElse(0L));
  }

  @Override
  public Page<CommitSummary> list(CommitsRequest request) {
    Optional<Long> before = request.cursor().map(EmbeddedCommits::cursor);
    return ledger.with(open -> list(open.log(), request, before));
  }

  private static long cursor(String text) {
    if (!text.matches("[0-9]{1,18}")) {
      throw ParsedQuery.invalid("the cursor is none of this listing; begin without one");
    }
    return Long.parseLong(text);
  }

  private static Page<CommitSummary> list(
      CommitLog log, CommitsRequest request, Optional<Long> before) {
    long head = log.head().orElse(0L);
    long next = before.map(id -> Math.min(id - 1, head)).orElse(head);
    int size = request.limit();
    long last = Math.max(request.since(), next - (request.meta().isEmpty() ? size : LOOKED_AT));
    List<CommitSummary> found = new ArrayList<>();
    while (next > last && found.size() < size) {
      int step = (int) Math.min(size, next - last);
      List<Commit> commits = log.after(next - step, step);
      if (commits.isEmpty()) {
        break; // the ledger was begun anew meanwhile
      }
      for (int i = commits.size() - 1; i >= 0 && found.size() < size; i--) {
        Commit commit = commits.get(i);
        next = commit.id() - 1;
        if (hasMeta(commit, request.meta())) {
          found.add(LedgerResultMapper.commit(commit));
        }
      }
    }
    return new Page<>(
        found, next > request.since() ? Optional.of(Long.toString(next + 1)) : Optional.empty());
  }

  private static boolean hasMeta(Commit commit, Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(
            each ->
                commit.metadata().has(each.getKey())
                    && commit.metadata().path(each.getKey()).asText().equals(each.getValue()));
  }

  private static Commit find(CommitLog log, long id) {
    return log.get(id).orElseThrow(() -> new UnknownCommitException(id, log.head().orElse(0L)));
  }

  @Override
  public CommitSummary get(long id) {
    return ledger.with(open -> LedgerResultMapper.commit(find(open.log(), id)));
  }

  @Override
  public ResultStream<CommitChangesHeader, RowChange> changes(long id) {
    return EmbeddedResultStream.open(
        resources -> {
          CancellationToken cancellationToken = resources.add(ledger.begin()).stop();
          CommitLog log = resources.add(ledger.acquire()).ledger().log();
          Commit commit = find(log, id);
          return new EmbeddedResultStream.HeaderAndItems<>(
              new CommitChangesHeader(
                  commit.id(),
                  commit.createdAt(),
                  commit.operations(),
                  commit.metadata(),
                  LedgerResultMapper.purged(log.purged(id))),
              consumer -> {
                boolean there =
                    log.changes(
                        id,
                        each -> {
                          cancellationToken.throwIfCancelled();
                          consumer.accept(LedgerResultMapper.change(each));
                        });
                assert there;
              });
        });
  }

  @Override
  public ResultStream<DiffSummary, RowDifference> diff(DiffRequest request, LongConsumer progress) {
    return EmbeddedResultStream.open(
        resources -> {
          DifferenceSpool differenceSpool = resources.add(new DifferenceSpool(request));
          DiffSummary summary;
          try (EmbeddedLedgerContext.RunningOperation runningOperation = ledger.begin();
              LedgerCache.LedgerHandle handle = ledger.acquire()) {
            Ledger open = handle.ledger();
            summary =
                differenceSpool.collect(open, ledger.address(), runningOperation.stop(), progress);
          }
          return new EmbeddedResultStream.HeaderAndItems<DiffSummary, RowDifference>(
              summary, differenceSpool::forEach);
        });
  }
}
