// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Record of a ledger or a graph source in the nameservice at one moment.
 *
 * @param address the address of the record
 * @param meta metadata outside the concerns
 * @param head see {@link Concern#HEAD}; unborn for good in a graph source
 * @param index see {@link Concern#INDEX}
 * @param status see {@link Concern#STATUS}
 * @param config see {@link Concern#CONFIG}
 */
@RecordBuilder
public record NameRecord(
    Address address,
    Meta meta,
    ConcernValue head,
    ConcernValue index,
    ConcernValue status,
    ConcernValue config)
    implements NameRecordBuilder.With {

  /**
   * Metadata of a record outside its concerns.
   *
   * @param kind the kind of the record
   * @param sourceType the type of a graph source; empty for ledgers
   * @param dependencies the dependencies of a graph source, in the order given
   * @param createdAt seconds since 1970 when it was created, where that is known
   * @param updatedAtMs milliseconds since 1970 of the last change, for people to see
   * @param retracted whether it was taken back: it is found, but can't be changed until restored
   * @param sourceBranch the branch it was made from; empty for a root
   * @param branches how many branches were made from it, as last counted
   * @param indexRev grows with every publication of an index, so that one at the same {@code t} is
   *     told from the one before
   * @param recordId tells the record from other records that have or had its address; empty where
   *     that isn't known. The backend chooses it on creation and keeps it, whatever an edit says
   */
  @RecordBuilder
  public record Meta(
      RecordKind kind,
      Optional<SourceType> sourceType,
      List<String> dependencies,
      Optional<Long> createdAt,
      long updatedAtMs,
      boolean retracted,
      Optional<String> sourceBranch,
      int branches,
      long indexRev,
      Optional<String> recordId)
      implements NameRecordMetaBuilder.With {

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
        RecordKind kind,
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
          RecordKind.LEDGER,
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
      return ofLedger(nowMs)
          .with()
          .kind(RecordKind.GRAPH_SOURCE)
          .sourceType(Optional.of(type))
          .dependencies(dependencies)
          .build();
    }

    Meta touched(long nowMs, long newIndexRev) {
      return with().updatedAtMs(nowMs).indexRev(newIndexRev).build();
    }
  }

  /** The status of a record that was just created. */
  static final ConcernValue READY = ConcernValue.of(1, Payload.parse("{\"state\":\"ready\"}"));

  /** Returns a ledger without commits. */
  static NameRecord newLedger(Address address, long nowMs) {
    return new NameRecord(
        address,
        Meta.ofLedger(nowMs),
        ConcernValue.UNBORN,
        ConcernValue.UNBORN,
        READY,
        ConcernValue.UNBORN);
  }

  /** Returns the state of one concern. */
  public ConcernValue concern(Concern concern) {
    return switch (concern) {
      case HEAD -> head;
      case INDEX -> index;
      case STATUS -> status;
      case CONFIG -> config;
    };
  }

  /** Returns whether the record has a concern: only ledgers have a head. */
  public boolean has(Concern concern) {
    return concern != Concern.HEAD || meta.kind() == RecordKind.LEDGER;
  }

  /** Returns the last commit of a ledger. */
  public Ref commit() {
    return RefCodec.headRef(head);
  }

  /** Returns what is indexed: of a ledger its default graph. */
  public Ref indexed() {
    return RefCodec.indexRef(meta.kind(), index);
  }

  /** Returns whether there are commits that the index doesn't cover. */
  public boolean hasNovelty() {
    return head.watermark() > index.watermark();
  }

  /**
   * Returns how many commits the index of a ledger doesn't cover; empty where no index was ever
   * published, as of ledgers whose indices are beside their commits.
   */
  public OptionalLong indexLag() {
    boolean both =
        meta.kind() == RecordKind.LEDGER && commit().id().isPresent() && indexed().id().isPresent();
    return both ? OptionalLong.of(Math.max(0, commit().t() - indexed().t())) : OptionalLong.empty();
  }

  /** This record with another state of one concern, which counts as a change at the given time. */
  public NameRecord with(Concern concern, ConcernValue value, long nowMs) {
    long rev = concern == Concern.INDEX ? Meta.next(meta.indexRev()) : meta.indexRev();
    return withMeta(meta.touched(nowMs, rev)).with(concern, value);
  }

  /** Returns the record with another state of one concern, at the time it was last changed. */
  public NameRecord with(Concern concern, ConcernValue value) {
    return switch (concern) {
      case HEAD -> withHead(value);
      case INDEX -> withIndex(value);
      case STATUS -> withStatus(value);
      case CONFIG -> withConfig(value);
    };
  }

  /** Returns this record with its id. */
  public NameRecord withRecordId(Optional<String> id) {
    return meta.recordId().equals(id) ? this : withMeta(meta.withRecordId(id));
  }

  /** Returns whether the record is a branch that was made from another record. */
  public boolean isBranchOf(Address source) {
    return address.name().equals(source.name())
        && meta.sourceBranch().equals(Optional.of(source.branch()));
  }

  NameRecord retracted(boolean now) {
    return withMeta(meta.withRetracted(now));
  }
}
