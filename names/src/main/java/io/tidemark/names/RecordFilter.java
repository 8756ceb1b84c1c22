// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * Filter of the records to list. Start from {@link #all()} and narrow it down.
 *
 * @param prefix prefix of {@code name:branch}; empty for all
 * @param startAfter the address after which to begin, for the next page; empty for the first
 * @param kind only this kind
 * @param sourceType only graph sources of this type
 * @param state only records whose status has this state
 * @param limit how many at the most
 */
@RecordBuilder
public record RecordFilter(
    String prefix,
    String startAfter,
    Optional<RecordKind> kind,
    Optional<SourceType> sourceType,
    Optional<String> state,
    long limit)
    implements RecordFilterBuilder.With {

  /** Returns a filter that matches every record, retracted ones included. */
  public static RecordFilter all() {
    return new RecordFilter(
        "", "", Optional.empty(), Optional.empty(), Optional.empty(), Long.MAX_VALUE);
  }

  public RecordFilter startingWith(String text) {
    return withPrefix(text);
  }

  public RecordFilter after(Address address) {
    return withStartAfter(address.toString());
  }

  public RecordFilter ofKind(RecordKind wanted) {
    return withKind(Optional.of(wanted));
  }

  public RecordFilter ofType(SourceType wanted) {
    return withSourceType(Optional.of(wanted));
  }

  public RecordFilter inState(String wanted) {
    return withState(Optional.of(wanted));
  }

  public RecordFilter atMost(long records) {
    return withLimit(records);
  }

  /** Returns whether a record matches, apart from its place in the order. */
  public boolean matches(NameRecord record) {
    Optional<String> found = record.status().payload().flatMap(p -> p.string("state"));
    return kind.map(k -> k == record.meta().kind()).orElse(true)
        && sourceType.map(t -> Optional.of(t).equals(record.meta().sourceType())).orElse(true)
        && state.map(s -> Optional.of(s).equals(found)).orElse(true);
  }
}
