// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.names.Address;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameRecord;
import io.tidemark.names.Payload;
import io.tidemark.names.RecordKind;
import io.tidemark.names.Ref;
import io.tidemark.objects.internal.hash.Sha256;
import java.time.Instant;
import java.util.Optional;

/**
 * State of an address on a remote when it was last looked at.
 *
 * @param commit its head; empty while that is unborn, and for a graph source
 * @param index what is indexed, without an id where the default graph isn't; empty while unborn
 * @param payloads SHA-256 of the payloads of head and index; empty if they say no more than {@code
 *     commit} and {@code index} do
 * @param head digest of the payload that the name moves by: its head, or the index of a graph
 *     source. Empty where {@code payloads} is, and where an earlier version didn't remember it
 * @param fetched when it was found to have changed
 */
public record RemoteRef(
    RemoteName remote,
    Address address,
    Optional<Ref> commit,
    Optional<Ref> index,
    Optional<String> payloads,
    Optional<String> head,
    boolean retracted,
    Instant fetched) {

  static RemoteRef of(RemoteName remote, NameRecord record, Instant now) {
    return new RemoteRef(
        remote,
        record.address(),
        nonEmpty(record.commit()),
        nonEmpty(record.indexed()),
        payloads(record),
        payloads(record).flatMap(some -> digest(record)),
        record.meta().retracted(),
        now);
  }

  private static Optional<Ref> nonEmpty(Ref ref) {
    return Optional.of(ref).filter(found -> !found.equals(Ref.UNBORN));
  }

  private static Optional<String> payloads(NameRecord record) {
    if (hasPlainHead(record) && hasPlainIndex(record)) {
      return Optional.empty();
    }
    return Optional.of(Sha256.hex(text(record.head()) + text(record.index())));
  }

  private static boolean hasPlainHead(NameRecord record) {
    return hasPayload(record.head(), plain(record.commit(), "t"));
  }

  private static boolean hasPlainIndex(NameRecord record) {
    return hasPayload(record.index(), index(record));
  }

  private static Optional<String> digest(NameRecord record) {
    boolean ledger = record.meta().kind() == RecordKind.LEDGER;
    return (ledger ? record.head() : record.index()).payload().map(Payload::digest);
  }

  /** Returns whether a record still has the head, or the index of a graph source, of this state. */
  boolean isUnmoved(NameRecord record) {
    boolean ledger = record.meta().kind() == RecordKind.LEDGER;
    boolean sameRef =
        commit.or(() -> index).equals(nonEmpty(ledger ? record.commit() : record.indexed()));
    if (payloads.isEmpty()) {
      return sameRef && (ledger ? hasPlainHead(record) : hasPlainIndex(record));
    }
    return sameRef && (head.isEmpty() || head.equals(digest(record)));
  }

  private static boolean hasPayload(ConcernValue value, Payload expected) {
    return value.payload().map(expected::equals).orElse(true);
  }

  private static Payload plain(Ref ref, String t) {
    return Payload.build(json -> json.put("id", ref.id().orElse(null)).put(t, ref.t()));
  }

  /** Returns the payload that is written when an index is first published at a {@code t}. */
  private static Payload index(NameRecord record) {
    Ref ref = record.indexed();
    return record.meta().kind() == RecordKind.GRAPH_SOURCE
        ? plain(ref, "index_t")
        : Payload.build(
            json -> json.set("default", plain(ref, "t").with(g -> g.put("rev", 0)).toTree()));
  }

  private static String text(ConcernValue value) {
    return value.payload().map(Payload::toJson).orElse("null");
  }

  /** Returns whether it says the same, whenever that was found. */
  boolean isEquivalentTo(RemoteRef other) {
    return commit.equals(other.commit)
        && index.equals(other.index)
        && payloads.equals(other.payloads)
        && head.equals(other.head)
        && retracted == other.retracted;
  }
}
