// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * All that the nameservice knows of a ledger or a graph source at one moment.
 *
 * @param address where it is found
 * @param meta what isn't a concern
 * @param head see {@link Concern#HEAD}; unborn for good in a graph source
 * @param index see {@link Concern#INDEX}
 * @param status see {@link Concern#STATUS}
 * @param config see {@link Concern#CONFIG}
 */
public record NameRecord(
    Address address,
    Meta meta,
    ConcernValue head,
    ConcernValue index,
    ConcernValue status,
    ConcernValue config) {

  /**
   * What isn't a concern.
   *
   * @param kind what the record stands for
   * @param sourceType what a graph source is; empty for ledgers
   * @param dependencies what a graph source is made from, in the order given
   * @param createdAt seconds since 1970 when it was created, where that is known
   * @param updatedAtMs milliseconds since 1970 of the last change, for people to see
   * @param retracted whether it was taken back: it is found, but can't be changed until restored
   * @param sourceBranch the branch it was made from; empty for a root
   * @param branches how many branches were made from it, as last counted
   * @param indexRev grows with every publication of an index, so that one at the same {@code t} is
   *     told from the one before
   * @param recordId tells the record from others that have or had its address; empty where that
   *     isn't known. The backend chooses it on creation and keeps it, whatever an edit says
   */
  public record Meta(
      Kind kind,
      Optional<SourceType> sourceType,
      List<String> dependencies,
      Optional<Long> createdAt,
      long updatedAtMs,
      boolean retracted,
      Optional<String> sourceBranch,
      int branches,
      long indexRev,
      Optional<String> recordId) {

    public Meta {
      dependencies = List.copyOf(dependencies);
      // No backend stores these below 0, so a record with one could never be read again.
      requireNotNegative("created_at", createdAt.orElse(0L));
      requireNotNegative("updated_at_ms", updatedAtMs);
      requireNotNegative("branches", branches);
      requireNotNegative("index_rev", indexRev);
    }

    private static void requireNotNegative(String member, long value) {
      if (value < 0) {
        throw new InvalidPayloadException(
            "the " + member + " of a record must be a number from 0 to 2^63 - 1, got " + value);
      }
    }

    /** Returns the next number of a counter, which stays at the largest one. */
    static long next(long counter) {
      return counter == Long.MAX_VALUE ? counter : counter + 1;
    }

    /** Creates what isn't a concern of a record whose id isn't known. */
    public Meta(
        Kind kind,
        Optional<SourceType> sourceType,
        List<String> dependencies,
        Optional<Long> createdAt,
        long updatedAtMs,
        boolean retracted,
        Optional<String> sourceBranch,
        int branches,
        long indexRev) {
      this(
          kind,
          sourceType,
          dependencies,
          createdAt,
          updatedAtMs,
          retracted,
          sourceBranch,
          branches,
          indexRev,
          Optional.empty());
    }

    /** Returns this with the id of the record. */
    public Meta withRecordId(Optional<String> id) {
      return new Meta(
          kind,
          sourceType,
          dependencies,
          createdAt,
          updatedAtMs,
          retracted,
          sourceBranch,
          branches,
          indexRev,
          id);
    }

    /** Compares what is said of the record; its id says which record it is. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Meta meta
          && kind == meta.kind
          && sourceType.equals(meta.sourceType)
          && dependencies.equals(meta.dependencies)
          && createdAt.equals(meta.createdAt)
          && updatedAtMs == meta.updatedAtMs
          && retracted == meta.retracted
          && sourceBranch.equals(meta.sourceBranch)
          && branches == meta.branches
          && indexRev == meta.indexRev;
    }

    @Override
    public int hashCode() {
      return Objects.hash(
          kind,
          sourceType,
          dependencies,
          createdAt,
          updatedAtMs,
          retracted,
          sourceBranch,
          branches,
          indexRev);
    }

    static Meta ofLedger(long nowMs) {
      return new Meta(
          Kind.LEDGER,
          Optional.empty(),
          List.of(),
          Optional.of(nowMs / 1000),
          nowMs,
          false,
          Optional.empty(),
          0,
          0);
    }

    static Meta ofSource(SourceType type, List<String> dependencies, long nowMs) {
      return ofLedger(nowMs).as(Kind.GRAPH_SOURCE, Optional.of(type), dependencies);
    }

    private Meta as(Kind other, Optional<SourceType> type, List<String> from) {
      return new Meta(
          other,
          type,
          from,
          createdAt,
          updatedAtMs,
          retracted,
          sourceBranch,
          branches,
          indexRev,
          recordId);
    }

    Meta withDependencies(SourceType type, List<String> from) {
      return as(kind, Optional.of(type), from);
    }

    Meta withRetracted(boolean now) {
      return new Meta(
          kind,
          sourceType,
          dependencies,
          createdAt,
          updatedAtMs,
          now,
          sourceBranch,
          branches,
          indexRev,
          recordId);
    }

    Meta withSourceBranch(String branch) {
      return new Meta(
          kind,
          sourceType,
          dependencies,
          createdAt,
          updatedAtMs,
          retracted,
          Optional.of(branch),
          branches,
          indexRev,
          recordId);
    }

    Meta withBranches(int count) {
      return new Meta(
          kind,
          sourceType,
          dependencies,
          createdAt,
          updatedAtMs,
          retracted,
          sourceBranch,
          count,
          indexRev,
          recordId);
    }

    Meta touched(long nowMs, long newIndexRev) {
      return new Meta(
          kind,
          sourceType,
          dependencies,
          createdAt,
          nowMs,
          retracted,
          sourceBranch,
          branches,
          newIndexRev,
          recordId);
    }
  }

  /** The status of a record that was just created. */
  static final ConcernValue READY = ConcernValue.of(1, Payload.parse("{\"state\":\"ready\"}"));

  /** A ledger without commits. */
  static NameRecord newLedger(Address address, long nowMs) {
    return new NameRecord(
        address,
        Meta.ofLedger(nowMs),
        ConcernValue.UNBORN,
        ConcernValue.UNBORN,
        READY,
        ConcernValue.UNBORN);
  }

  /** The state of one concern. */
  public ConcernValue concern(Concern concern) {
    return switch (concern) {
      case HEAD -> head;
      case INDEX -> index;
      case STATUS -> status;
      case CONFIG -> config;
    };
  }

  /** The last commit of a ledger. */
  public Ref commit() {
    return Refs.ofHead(head);
  }

  /** What is indexed: of a ledger its default graph. */
  public Ref indexed() {
    return Refs.ofIndex(meta.kind(), index);
  }

  /** Whether there are commits that the index doesn't cover. */
  public boolean hasNovelty() {
    return head.watermark() > index.watermark();
  }

  /**
   * How many commits the index of a ledger doesn't cover; empty where no index was ever published,
   * as of ledgers whose indices are beside their commits.
   */
  public OptionalLong indexLag() {
    boolean both =
        meta.kind() == Kind.LEDGER && commit().id().isPresent() && indexed().id().isPresent();
    return both ? OptionalLong.of(Math.max(0, commit().t() - indexed().t())) : OptionalLong.empty();
  }

  /** This record with another state of one concern, which counts as a change at the given time. */
  public NameRecord with(Concern concern, ConcernValue value, long nowMs) {
    long rev = concern == Concern.INDEX ? Meta.next(meta.indexRev()) : meta.indexRev();
    Meta touched = meta.touched(nowMs, rev);
    return switch (concern) {
      case HEAD -> new NameRecord(address, touched, value, index, status, config);
      case INDEX -> new NameRecord(address, touched, head, value, status, config);
      case STATUS -> new NameRecord(address, touched, head, index, value, config);
      case CONFIG -> new NameRecord(address, touched, head, index, status, value);
    };
  }

  /** Returns this record with its id. */
  public NameRecord withRecordId(Optional<String> id) {
    return meta.recordId().equals(id) ? this : with(meta.withRecordId(id));
  }

  NameRecord retracted(boolean now) {
    return with(meta.withRetracted(now));
  }

  NameRecord with(Meta other) {
    return new NameRecord(address, other, head, index, status, config);
  }
}
