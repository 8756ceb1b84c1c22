// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Rules by which requested edits become decisions about a record. */
final class EditRules {

  private record RequestedEdit(EditRequest data, Function<NameRecord, EditDecision> rule)
      implements RecordEdit {

    @Override
    public EditDecision decide(NameRecord seen) {
      return rule.apply(seen);
    }

    @Override
    public Optional<EditRequest> request() {
      return Optional.of(data);
    }
  }

  private final NameService names;

  EditRules(NameService names) {
    this.names = names;
  }

  /**
   * Returns the decision that a request asks for.
   *
   * @throws InvalidPayloadException when the request has a state that a concern can't take
   */
  RecordEdit of(Address address, EditRequest request) {
    check(address, request);
    return new RequestedEdit(request, seen -> decide(seen, request));
  }

  private void check(Address address, EditRequest request) {
    if (request instanceof EditRequest.ExtendHead extension) {
      requireSameCommit(address, extension);
      names.check(address, Concern.HEAD, extension.next());
    } else if (request instanceof EditRequest.Reset reset) {
      requireWholeUnlessUnborn(address, Concern.HEAD, reset.commit());
      reset.index().ifPresent(ref -> requireWholeUnlessUnborn(address, Concern.INDEX, ref));
    } else if (request instanceof EditRequest.Configure setUp) {
      names.check(address, Concern.CONFIG, ConcernValue.of(1, setUp.config()));
      NameService.requireUnicode(address, "type", List.of(setUp.type().value()));
      NameService.requireUnicode(address, "list of dependencies", setUp.dependencies());
    }
  }

  private static void requireSameCommit(Address address, EditRequest.ExtendHead extension) {
    if (!RefCodec.headRef(extension.next()).equals(RefCodec.headRef(extension.expected()))) {
      throw new InvalidPayloadException(
          "the head of "
              + address
              + " at t "
              + extension.expected().watermark()
              + " can't be extended to that of another commit, at t "
              + extension.next().watermark()
              + "; push that one");
    }
  }

  private static void requireWholeUnlessUnborn(Address address, Concern concern, Ref ref) {
    if (!ref.equals(Ref.UNBORN)) {
      Ledgers.requireWhole(address, concern, ref);
    }
  }

  private EditDecision decide(NameRecord seen, EditRequest request) {
    if (request instanceof EditRequest.Retract retract) {
      return EditDecision.replace(seen, retracted(seen, retract));
    }
    if (request instanceof EditRequest.Restore restore) {
      return EditDecision.replace(seen, restored(seen, restore.atMs()));
    }
    if (request instanceof EditRequest.Purge) {
      names.branches().requireNoChildren(seen);
      return EditDecision.remove();
    }
    if (request instanceof EditRequest.Sweep sweep) {
      boolean meant =
          sweep.which() == EditRequest.Sweepable.ANY || RetractedStatus.isDropping(seen);
      return meant && isChildless(seen, sweep) ? EditDecision.remove() : EditDecision.keep();
    }
    if (request instanceof EditRequest.Undo undo) {
      return seen.equals(undo.made()) ? EditDecision.remove() : EditDecision.keep();
    }
    if (request instanceof EditRequest.ExtendHead extension) {
      requireLedger(seen);
      return seen.head().equals(extension.expected())
          ? EditDecision.replace(seen, seen.with(Concern.HEAD, extension.next(), extension.atMs()))
          : EditDecision.keep();
    }
    if (request instanceof EditRequest.Reset reset) {
      requireLedger(seen);
      return EditDecision.replace(seen, reset(seen, reset));
    }
    if (request instanceof EditRequest.Configure setUp) {
      return EditDecision.replace(seen, configured(seen, setUp));
    }
    return EditDecision.replace(seen, counted(seen, (EditRequest.CountBranches) request));
  }

  private static NameRecord retracted(NameRecord seen, EditRequest.Retract retract) {
    long seconds = retract.atMs() / 1000;
    boolean drop = retract.purpose() == EditRequest.Purpose.DROP;
    if (drop ? RetractedStatus.isDropping(seen) : seen.meta().retracted()) {
      return seen;
    }
    ConcernValue status =
        drop ? RetractedStatus.dropping(seen, seconds) : RetractedStatus.of(seen.status(), seconds);
    return seen.with(Concern.STATUS, status, retract.atMs()).retracted(true);
  }

  private static NameRecord restored(NameRecord seen, long atMs) {
    return seen.meta().retracted()
        ? seen.with(Concern.STATUS, RetractedStatus.restored(seen.status()), atMs).retracted(false)
        : seen;
  }

  private boolean isChildless(NameRecord seen, EditRequest.Sweep sweep) {
    boolean asListed = seen.equals(sweep.listed()) && seen.meta().branches() <= sweep.branches();
    return asListed || names.branches().countChildren(seen.address()) == 0;
  }

  private void requireLedger(NameRecord record) {
    if (record.meta().kind() != RecordKind.LEDGER) {
      throw names.notFound(record.address(), RecordKind.LEDGER);
    }
    names.requireLive(record);
  }

  private static NameRecord reset(NameRecord seen, EditRequest.Reset reset) {
    NameRecord moved = seen.with(Concern.HEAD, RefCodec.headValue(reset.commit()), reset.atMs());
    Optional<ConcernValue> index =
        reset
            .index()
            .map(ref -> RefCodec.indexValue(RecordKind.LEDGER, ref, ConcernValue.UNBORN))
            .or(
                () ->
                    Optional.of(ConcernValue.UNBORN)
                        .filter(none -> seen.index().watermark() > reset.commit().t()));
    return index.map(next -> moved.with(Concern.INDEX, next, reset.atMs())).orElse(moved);
  }

  private static NameRecord configured(NameRecord seen, EditRequest.Configure setUp) {
    if (seen.meta().kind() == RecordKind.LEDGER) {
      throw new AlreadyExistsException(
          seen.address() + " is a ledger; choose another address for the graph source");
    }
    ConcernValue next = ConcernValue.of(seen.config().watermark() + 1, setUp.config());
    NameRecord changed = seen.with(Concern.CONFIG, next, setUp.atMs());
    return changed.withMeta(
        changed
            .meta()
            .with()
            .sourceType(Optional.of(setUp.type()))
            .dependencies(setUp.dependencies())
            .build());
  }

  /**
   * Counts anew in each attempt, because a writer in between may have counted more or fewer
   * branches. After a branch was created the record always changes, so that a conditional write by
   * a caller that read the record before the branch fails (see {@link BranchPurge}).
   */
  private NameRecord counted(NameRecord seen, EditRequest.CountBranches request) {
    NameRecord.Meta meta = seen.meta().withBranches(names.branches().countChildren(seen.address()));
    return seen.withMeta(
        request
            .createdAtMs()
            .map(
                now ->
                    meta.touched(
                        Math.max(now, NameRecord.Meta.next(meta.updatedAtMs())), meta.indexRev()))
            .orElse(meta));
  }
}
