// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.Cancellation;
import io.tidemark.api.Progress;
import io.tidemark.api.ProgressListener;
import io.tidemark.api.ledger.CompactionRequest;
import io.tidemark.api.ledger.CompactionResult;
import io.tidemark.api.ledger.Damage;
import io.tidemark.api.ledger.GarbageReport;
import io.tidemark.api.ledger.GarbageRequest;
import io.tidemark.api.ledger.IndexRepairRequest;
import io.tidemark.api.ledger.IndexRepairResult;
import io.tidemark.api.ledger.IndexReport;
import io.tidemark.api.ledger.IndexVerifyRequest;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.VerifyListener;
import io.tidemark.api.ledger.VerifyProgress;
import io.tidemark.api.ledger.VerifyReport;
import io.tidemark.api.ledger.VerifyRequest;
import io.tidemark.ledger.IndexMaintenance;
import io.tidemark.ledger.IndexMaintenance.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.OrphanCollector;
import io.tidemark.ledger.OrphanCollector.Orphan;
import io.tidemark.ledger.internal.catalog.Catalog.Finding;
import io.tidemark.ledger.internal.compact.Compaction;
import io.tidemark.ledger.internal.compact.CompactionOutcome;
import io.tidemark.ledger.internal.compact.CompactionPlan;
import io.tidemark.ledger.internal.compact.CompactionScope;
import io.tidemark.ledger.internal.compact.FileMerge;
import io.tidemark.ledger.internal.compact.ObsoleteSnapshots.ObsoleteSnapshot;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.internal.verify.Verification;
import io.tidemark.ledger.internal.verify.VerificationCursor;
import io.tidemark.ledger.internal.verify.VerificationDepth;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Maintenance of a ledger in this process. */
record EmbeddedMaintenance(EmbeddedLedgerContext use) implements LedgerMaintenance {

  private static Depth depth(boolean deep) {
    return deep ? Depth.EVERY_COMMIT : Depth.NEWEST;
  }

  @Override
  public IndexReport verifyIndex(IndexVerifyRequest request) {
    return use.with(ledger -> report(ledger.indices().verify(depth(request.deep()))));
  }

  private static IndexReport report(IndexMaintenance.Report found) {
    return new IndexReport(
        found.head(),
        names(found.lagged()),
        names(found.missingLatest()),
        names(found.holes()),
        boxed(found.misnamed()),
        texts(found.catalog()),
        found.ok(),
        found.catalog().stream().anyMatch(Finding::mendable));
  }

  private static List<String> names(Collection<TypeId> types) {
    return types.stream().map(TypeId::toString).toList();
  }

  private static List<String> texts(List<Finding> findings) {
    return findings.stream().map(Finding::text).toList();
  }

  private static Optional<Long> boxed(OptionalLong value) {
    return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
  }

  @Override
  public IndexRepairResult repairIndex(IndexRepairRequest request) {
    Depth depth = depth(request.deep());
    return use.with(
        ledger -> {
          IndexMaintenance indices = ledger.indices();
          IndexMaintenance.Repair repair =
              request.apply() ? indices.repair(depth) : indices.planRepair(depth);
          return new IndexRepairResult(
              repair.head(),
              names(repair.types()),
              boxed(repair.misnamed()),
              texts(repair.catalog()),
              request.apply(),
              request.apply() ? Optional.of(repair.head()) : Optional.empty());
        });
  }

  @Override
  public CompactionResult compact(CompactionRequest request, ProgressListener listener) {
    return use.with(ledger -> compact(ledger, request, listener));
  }

  private CompactionResult compact(
      Ledger ledger, CompactionRequest request, ProgressListener listener) {
    Compaction compaction = ledger.compaction();
    CompactionScope compactionScope = request.all() ? CompactionScope.ALL : CompactionScope.TIERS;
    CompactionPlan compactionPlan =
        request
            .type()
            .map(
                type ->
                    compaction.plan(
                        compactionScope,
                        List.of(TypeResolver.resolve(type, ledger.schemas().current().keySet()))))
            .orElseGet(() -> compaction.plan(compactionScope));
    List<CompactionOutcome> outcomes =
        request.apply()
            ? compaction.run(
                compactionPlan,
                (fileMerge, rows) -> {
                  use.cancellation().check();
                  listener.progress(
                      new Progress(
                          fileMerge.type().toString(), rows, Optional.of(fileMerge.rows())));
                })
            : List.of();
    return new CompactionResult(
        compactionPlan.merges().stream().map(EmbeddedMaintenance::merge).toList(),
        request.apply(),
        outcomes.stream()
            .filter(CompactionOutcome.Stale.class::isInstance)
            .map(CompactionOutcome::merge)
            .map(EmbeddedMaintenance::merge)
            .toList());
  }

  private static CompactionResult.Merge merge(FileMerge fileMerge) {
    return new CompactionResult.Merge(
        fileMerge.type().kind().singular(),
        fileMerge.type().name(),
        fileMerge.entryCount(),
        fileMerge.minCommitId(),
        fileMerge.maxCommitId(),
        fileMerge.rows());
  }

  @Override
  public GarbageReport collectGarbage(GarbageRequest request, ProgressListener listener) {
    Duration minAge =
        request.minAgeSeconds().isPresent()
            ? Duration.ofSeconds(request.minAgeSeconds().getAsLong())
            : OrphanCollector.SAFE_AGE;
    Duration least = use.cache().options().writer().leaseTtl();
    if (minAge.compareTo(least) < 0) {
      throw new TidemarkException(
          ErrorCode.INVALID_REQUEST,
          "the minimum age of garbage must be at least %d seconds, got %d: what is younger may be of a writer that is at work"
              .formatted(least.toSeconds(), minAge.toSeconds()));
    }
    return use.with(ledger -> collect(ledger, minAge, request.apply(), listener));
  }

  private GarbageReport collect(
      Ledger ledger, Duration minAge, boolean apply, ProgressListener listener) {
    List<Orphan> found = ledger.orphans().find(minAge);
    List<ObsoleteSnapshot> snapshots = ledger.obsoleteSnapshots().find(minAge);
    if (apply) {
      delete(ledger, found, snapshots, listener);
    }
    return new GarbageReport(
        minAge.toSeconds(),
        apply,
        found.stream().mapToLong(Orphan::bytes).sum()
            + snapshots.stream().mapToLong(ObsoleteSnapshot::bytes).sum(),
        found.stream()
            .map(
                each ->
                    new GarbageReport.OrphanedFiles(
                        each.directory(),
                        each.commitId(),
                        each.objects(),
                        each.bytes(),
                        each.newest()))
            .toList(),
        snapshots.stream()
            .map(each -> new GarbageReport.Snapshot(each.path(), each.bytes(), each.since()))
            .toList());
  }

  private void delete(
      Ledger ledger,
      List<Orphan> found,
      List<ObsoleteSnapshot> snapshots,
      ProgressListener listener) {
    Optional<Long> all = Optional.of((long) found.size() + snapshots.size());
    long done = 0;
    for (Orphan each : found) {
      use.cancellation().check();
      ledger.orphans().delete(each);
      listener.progress(new Progress("", ++done, all));
    }
    for (ObsoleteSnapshot each : snapshots) {
      use.cancellation().check();
      ledger.obsoleteSnapshots().delete(each);
      listener.progress(new Progress("", ++done, all));
    }
  }

  /** Doesn't open the ledger, which one with a damaged head couldn't be. */
  @Override
  public VerifyReport verify(VerifyRequest request, VerifyListener listener) {
    VerificationDepth depth =
        request.deep() ? VerificationDepth.CONTENT : VerificationDepth.EXISTENCE;
    Optional<VerificationCursor> after = request.after().map(VerificationCursor::parse);
    try (NamedLedgers.LedgerLocation ledgerLocation =
        use.cache().ledgers().location(use.address())) {
      Verification verification = new Verification(ledgerLocation.objects(use.address()));
      try (Cancellation.Registration unused =
          use.cancellation().onCancel(why -> verification.stop())) {
        return report(depth, verification.run(depth, after, converting(listener)));
      }
    }
  }

  private static io.tidemark.ledger.internal.verify.VerificationListener converting(
      VerifyListener listener) {
    return new io.tidemark.ledger.internal.verify.VerificationListener() {
      @Override
      public void progress(io.tidemark.ledger.internal.verify.VerificationProgress now) {
        listener.progress(
            new VerifyProgress(
                now.commits(),
                now.ofCommits(),
                now.files(),
                now.snapshots(),
                now.bytes(),
                now.damaged(),
                now.cursor().map(VerificationCursor::text)));
      }

      @Override
      public void found(io.tidemark.ledger.internal.verify.ObjectDamage objectDamage) {
        listener.found(damage(objectDamage));
      }
    };
  }

  private static Damage damage(io.tidemark.ledger.internal.verify.ObjectDamage objectDamage) {
    return new Damage(
        objectDamage.kind().jsonName(),
        objectDamage.branch().text(),
        objectDamage.commitId(),
        objectDamage.key(),
        objectDamage.expected(),
        objectDamage.found());
  }

  private static VerifyReport report(
      VerificationDepth depth, io.tidemark.ledger.internal.verify.VerificationReport report) {
    io.tidemark.ledger.internal.verify.VerificationProgress all = report.progress();
    return new VerifyReport(
        all.commits(),
        all.ofCommits(),
        all.files(),
        all.snapshots(),
        all.bytes(),
        all.damaged(),
        all.cursor().map(VerificationCursor::text),
        report.first().stream().map(EmbeddedMaintenance::damage).toList(),
        depth == VerificationDepth.CONTENT,
        report.complete(),
        report.ok());
  }
}
