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
import io.tidemark.api.ledger.IndexRepair;
import io.tidemark.api.ledger.IndexReport;
import io.tidemark.api.ledger.IndexRequest;
import io.tidemark.api.ledger.LedgerMaintenance;
import io.tidemark.api.ledger.RepairRequest;
import io.tidemark.api.ledger.VerifyListener;
import io.tidemark.api.ledger.VerifyProgress;
import io.tidemark.api.ledger.VerifyReport;
import io.tidemark.api.ledger.VerifyRequest;
import io.tidemark.ledger.IndexCare;
import io.tidemark.ledger.IndexCare.Depth;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.Leftovers;
import io.tidemark.ledger.Leftovers.Leftover;
import io.tidemark.ledger.internal.catalog.Catalog.Finding;
import io.tidemark.ledger.internal.compact.Compaction;
import io.tidemark.ledger.internal.compact.Extent;
import io.tidemark.ledger.internal.compact.Merge;
import io.tidemark.ledger.internal.compact.Outcome;
import io.tidemark.ledger.internal.compact.Plan;
import io.tidemark.ledger.internal.compact.Superseded.Old;
import io.tidemark.ledger.internal.named.NamedLedgers;
import io.tidemark.ledger.internal.verify.Verification;
import io.tidemark.ledger.internal.verify.VerifyCursor;
import io.tidemark.ledger.internal.verify.VerifyDepth;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Maintenance of a ledger in this process. */
record EmbeddedMaintenance(LedgerUse use) implements LedgerMaintenance {

  private static Depth depth(boolean deep) {
    return deep ? Depth.EVERY_COMMIT : Depth.NEWEST;
  }

  @Override
  public IndexReport verifyIndex(IndexRequest request) {
    return use.with(ledger -> report(ledger.indices().verify(depth(request.deep()))));
  }

  private static IndexReport report(IndexCare.Report found) {
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
  public IndexRepair repairIndex(RepairRequest request) {
    Depth depth = depth(request.deep());
    return use.with(
        ledger -> {
          IndexCare indices = ledger.indices();
          IndexCare.Repair repair =
              request.apply() ? indices.repair(depth) : indices.planRepair(depth);
          return new IndexRepair(
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
    Extent extent = request.all() ? Extent.ALL : Extent.TIERS;
    Plan plan =
        request
            .type()
            .map(
                type ->
                    compaction.plan(
                        extent, List.of(Types.resolve(type, ledger.schemas().current().keySet()))))
            .orElseGet(() -> compaction.plan(extent));
    List<Outcome> outcomes =
        request.apply()
            ? compaction.run(
                plan,
                (merge, rows) -> {
                  use.cancellation().check();
                  listener.progress(
                      new Progress(merge.type().toString(), rows, Optional.of(merge.rows())));
                })
            : List.of();
    return new CompactionResult(
        plan.merges().stream().map(EmbeddedMaintenance::merge).toList(),
        request.apply(),
        outcomes.stream()
            .filter(Outcome.Overtaken.class::isInstance)
            .map(Outcome::merge)
            .map(EmbeddedMaintenance::merge)
            .toList());
  }

  private static CompactionResult.Merge merge(Merge merge) {
    return new CompactionResult.Merge(
        merge.type().kind().singular(),
        merge.type().name(),
        merge.entryCount(),
        merge.minCommitId(),
        merge.maxCommitId(),
        merge.rows());
  }

  @Override
  public GarbageReport collectGarbage(GarbageRequest request, ProgressListener listener) {
    Duration minAge =
        request.minAgeSeconds().isPresent()
            ? Duration.ofSeconds(request.minAgeSeconds().getAsLong())
            : Leftovers.SAFE_AGE;
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
    List<Leftover> found = ledger.leftovers().find(minAge);
    List<Old> snapshots = ledger.superseded().find(minAge);
    if (apply) {
      delete(ledger, found, snapshots, listener);
    }
    return new GarbageReport(
        minAge.toSeconds(),
        apply,
        found.stream().mapToLong(Leftover::bytes).sum()
            + snapshots.stream().mapToLong(Old::bytes).sum(),
        found.stream()
            .map(
                each ->
                    new GarbageReport.Leftover(
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
      Ledger ledger, List<Leftover> found, List<Old> snapshots, ProgressListener listener) {
    Optional<Long> all = Optional.of((long) found.size() + snapshots.size());
    long done = 0;
    for (Leftover each : found) {
      use.cancellation().check();
      ledger.leftovers().delete(each);
      listener.progress(new Progress("", ++done, all));
    }
    for (Old each : snapshots) {
      use.cancellation().check();
      ledger.superseded().delete(each);
      listener.progress(new Progress("", ++done, all));
    }
  }

  /** Doesn't open the ledger, which one with a damaged head couldn't be. */
  @Override
  public VerifyReport verify(VerifyRequest request, VerifyListener listener) {
    VerifyDepth depth = request.deep() ? VerifyDepth.CONTENT : VerifyDepth.EXISTENCE;
    Optional<VerifyCursor> after = request.after().map(VerifyCursor::parse);
    try (NamedLedgers.Place place = use.cache().ledgers().place(use.address())) {
      Verification verification = new Verification(place.objects(use.address()));
      try (Cancellation.Registration unused =
          use.cancellation().onCancel(why -> verification.stop())) {
        return report(depth, verification.run(depth, after, converting(listener)));
      }
    }
  }

  private static io.tidemark.ledger.internal.verify.VerifyListener converting(
      VerifyListener listener) {
    return new io.tidemark.ledger.internal.verify.VerifyListener() {
      @Override
      public void progress(io.tidemark.ledger.internal.verify.VerifyProgress now) {
        listener.progress(
            new VerifyProgress(
                now.commits(),
                now.ofCommits(),
                now.files(),
                now.snapshots(),
                now.bytes(),
                now.damaged(),
                now.cursor().map(VerifyCursor::text)));
      }

      @Override
      public void found(io.tidemark.ledger.internal.verify.Damage damage) {
        listener.found(damage(damage));
      }
    };
  }

  private static Damage damage(io.tidemark.ledger.internal.verify.Damage damage) {
    return new Damage(
        damage.kind().code(),
        damage.branch().text(),
        damage.commitId(),
        damage.key(),
        damage.expected(),
        damage.found());
  }

  private static VerifyReport report(
      VerifyDepth depth, io.tidemark.ledger.internal.verify.VerifyReport report) {
    io.tidemark.ledger.internal.verify.VerifyProgress all = report.progress();
    return new VerifyReport(
        all.commits(),
        all.ofCommits(),
        all.files(),
        all.snapshots(),
        all.bytes(),
        all.damaged(),
        all.cursor().map(VerifyCursor::text),
        report.first().stream().map(EmbeddedMaintenance::damage).toList(),
        depth == VerifyDepth.CONTENT,
        report.complete(),
        report.ok());
  }
}
