// SPDX-License-Identifier: Apache-2.0
package io.tidemark.embed.ledger;

import io.tidemark.api.ledger.BranchDropResult;
import io.tidemark.api.ledger.BranchEntry;
import io.tidemark.api.ledger.BranchRequest;
import io.tidemark.api.ledger.FinishDropsResult;
import io.tidemark.api.ledger.LedgerBranches;
import io.tidemark.api.ledger.MergeRequest;
import io.tidemark.api.ledger.MergeResult;
import io.tidemark.ledger.internal.branch.BranchMerge;
import io.tidemark.ledger.internal.branch.ConflictResolution;
import io.tidemark.ledger.internal.branch.MergeOutcome;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflict;
import io.tidemark.ledger.internal.branch.MergeOutcome.Conflicted;
import io.tidemark.ledger.internal.branch.MergeOutcome.FastForward;
import io.tidemark.ledger.internal.branch.MergeOutcome.Merged;
import io.tidemark.ledger.internal.branch.MergeOutcome.UpToDate;
import io.tidemark.ledger.internal.named.NamedBranches;
import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;
import io.tidemark.ledger.store.BranchName;
import io.tidemark.names.Address;
import io.tidemark.names.Branches;
import io.tidemark.names.NameRecord;
import io.tidemark.names.NotFoundException;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Branches of a ledger in this process. */
record EmbeddedBranches(EmbeddedLedgerContext use) implements LedgerBranches {

  private NamedBranches branches() {
    return new NamedBranches(use.cache().ledgers(), use.cache().options());
  }

  private static BranchEntry listed(NameRecord record) {
    long head = record.commit().t();
    return new BranchEntry(
        record.address().toString(),
        head == 0 ? Optional.empty() : Optional.of(head),
        record.address().branch(),
        record.meta().sourceBranch());
  }

  @Override
  public List<BranchEntry> list() {
    List<NameRecord> records = use.cache().names().branches().list(use.address().name());
    if (records.isEmpty()) {
      throw new NotFoundException(
          "there is no ledger " + use.address().name() + "; check the name");
    }
    return records.stream()
        .sorted(Comparator.comparing(record -> record.address().branch()))
        .map(EmbeddedBranches::listed)
        .toList();
  }

  @Override
  public BranchEntry create(BranchRequest request) {
    return listed(
        request.at().isPresent()
            ? branches().createAt(use.address(), request.branch(), request.at().getAsLong())
            : branches().create(use.address(), request.branch()));
  }

  @Override
  public BranchDropResult drop(String branch) {
    Address which = use.address().onBranch(new BranchName(branch).text());
    Branches.DropResult dropResult = branches().drop(which);
    use.cache().evict(which);
    dropResult.cascaded().forEach(use.cache()::evict);
    return new BranchDropResult(
        which.toString(),
        dropResult.dropped().name().toLowerCase(Locale.ROOT),
        texts(dropResult.cascaded()),
        texts(dropResult.retracted()));
  }

  @Override
  public FinishDropsResult finishDrops() {
    List<Address> gone = branches().finishDrops(use.address());
    gone.forEach(use.cache()::evict);
    return new FinishDropsResult(
        use.address().name(),
        texts(gone),
        texts(use.cache().names().branches().unfinished(use.address().name()).retracted()));
  }

  private static List<String> texts(List<Address> addresses) {
    return addresses.stream().map(Address::toString).toList();
  }

  @Override
  public MergeResult merge(MergeRequest request, LongConsumer progress) {
    BranchName source = new BranchName(request.source());
    ConflictResolution conflictResolution = resolution(request.resolution().orElse("refuse"));
    MergeOutcome outcome =
        use.with(
            ledger -> {
              BranchMerge branchMerge =
                  ledger
                      .merge(source, conflictResolution)
                      .withProgress(
                          rows -> {
                            use.cancellation().check();
                            progress.accept(rows);
                          });
              return request.apply()
                  ? branchMerge.apply(request.metadata())
                  : branchMerge.preview();
            });
    return result(outcome, source.text(), request.apply());
  }

  private static ConflictResolution resolution(String word) {
    return switch (word) {
      case "refuse" -> ConflictResolution.REFUSE;
      case "ours" -> ConflictResolution.OURS;
      case "theirs" -> ConflictResolution.THEIRS;
      default ->
          throw new TidemarkException(
              ErrorCode.INVALID_REQUEST,
              "\"resolution\" must be refuse, ours or theirs, got \"" + word + "\"");
    };
  }

  private MergeResult result(MergeOutcome outcome, String source, boolean apply) {
    String target = use.address().branch();
    if (outcome instanceof Merged merged) {
      return new MergeResult.Merged(
          merged.base(),
          merged.commit(),
          merged.counts().entrySet().stream().map(EmbeddedBranches::counts).toList(),
          merged.source(),
          source,
          target,
          apply);
    }
    if (outcome instanceof FastForward forward) {
      return new MergeResult.FastForward(forward.from(), forward.source(), source, target, apply);
    }
    if (outcome instanceof UpToDate upToDate) {
      return new MergeResult.UpToDate(upToDate.target(), upToDate.source(), source, target, false);
    }
    Conflicted conflicted = (Conflicted) outcome;
    return new MergeResult.Conflicted(
        conflicted.base(),
        conflicted.total(),
        conflicted.first().stream().map(EmbeddedBranches::conflict).toList(),
        conflicted.source(),
        source,
        target,
        false);
  }

  private static MergeResult.Counts counts(Map.Entry<TypeId, MergeOutcome.Counts> each) {
    MergeOutcome.Counts counts = each.getValue();
    return new MergeResult.Counts(
        each.getKey().kind().singular(),
        each.getKey().name(),
        counts.taken(),
        counts.combined(),
        counts.resolved());
  }

  private static MergeResult.Conflict conflict(Conflict conflict) {
    Optional<Identity.RelationKey> relation =
        conflict.identity() instanceof Identity.RelationKey key
            ? Optional.of(key)
            : Optional.empty();
    return new MergeResult.Conflict(
        conflict.type().kind().singular(),
        conflict.type().name(),
        relation.isPresent() ? Optional.empty() : Optional.of(conflict.identity().toString()),
        relation.map(Identity.RelationKey::left),
        relation.map(Identity.RelationKey::right),
        relation.map(Identity.RelationKey::instance).filter(key -> !key.isEmpty()),
        conflict.fields().stream()
            .map(
                field ->
                    new MergeResult.FieldConflict(
                        field.field(), field.base(), field.ours(), field.theirs()))
            .toList());
  }
}
