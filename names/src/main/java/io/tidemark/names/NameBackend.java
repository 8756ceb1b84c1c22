// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Nameservice on one storage technology: records that move by compare-and-set. {@link NameService}
 * builds on it what callers need: rules about names, limits, named operations. What concerns the
 * place of the records as a whole is its {@link #store}. All backends behave alike to the letter;
 * one contract suite shows it.
 *
 * <p>Guarantees of an implementation:
 *
 * <ol>
 *   <li><b>Each concern is a register.</b> Reads and changes of one concern of one record are
 *       linearizable: every change that returned is seen by every later read, in any process.
 *   <li><b>A change is judged and made in one step</b>: {@link ConcernChange#allows} held of the
 *       very state that it replaced, and the record existed and wasn't retracted then.
 *   <li><b>Concerns don't disturb each other.</b> A change of one leaves the other concerns as they
 *       are, and doesn't fail because they change.
 *   <li><b>Payloads come back as they went in.</b>
 *   <li><b>A lost answer is resolved</b>, or ends with {@link
 *       io.tidemark.objects.OutcomeUnknownException}; never in a guess.
 *   <li><b>Damage is named.</b> Reading a record that is damaged, or a listing that it belongs to,
 *       fails with {@link CorruptRecordException}; other records stay readable.
 * </ol>
 */
public interface NameBackend extends AutoCloseable {

  /** Returns the record as it is, retracted or not. */
  Optional<NameRecord> find(Address address);

  /** Returns one concern of a record, at the least cost; empty when there is no record. */
  Optional<ConcernValue> get(Address address, Concern concern);

  /** Writes a new record, whole; false when there is one already, retracted or not. */
  boolean create(NameRecord record);

  /** Makes a change, if it is allowed. */
  Outcome change(Address address, ConcernChange concernChange);

  /**
   * Reads a record, asks the edit for a decision, and carries it out, as one step; for rare changes
   * that touch several concerns. It finishes even while other writers change the record without
   * pause: writers of this process certainly, those of another as far as the storage lets them be
   * asked to wait. A concern that the edit leaves alone doesn't hold it up, so what the record says
   * of that one may be a moment old.
   *
   * @param edit called with the current record, and again when another writer was faster; it may
   *     read records but not change any. An exception that it throws ends the edit without a change
   * @return what was done; empty when there is no such record
   * @throws ContentionException when other writers won every race until the retry time was used up
   */
  Optional<EditResult> edit(Address address, RecordEdit edit);

  /**
   * Returns the records whose {@code name:branch} starts with the prefix and comes after the given
   * one, in the order of their addresses' text, lazily; the caller closes the stream.
   */
  Stream<NameRecord> list(String prefix, String startAfter);

  /** Returns the place where the records are, as a whole. */
  NameStore store();

  @Override
  void close();

  /** Outcome of a change. */
  sealed interface Outcome {}

  /**
   * The change was made.
   *
   * @param now the state it brought about
   */
  record Applied(ConcernValue now) implements Outcome {}

  /**
   * The change wasn't allowed.
   *
   * @param actual the state that was there
   */
  record Refused(ConcernValue actual) implements Outcome {}

  /** The record is retracted. */
  enum Retracted implements Outcome {
    RETRACTED
  }

  /** There is no such record, or it has no such concern. */
  enum Missing implements Outcome {
    MISSING
  }
}
