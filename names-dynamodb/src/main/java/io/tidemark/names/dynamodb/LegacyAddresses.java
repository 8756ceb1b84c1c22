// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import io.tidemark.names.NameRecord;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The addresses of an older table, which is read when the first is asked for. */
final class LegacyAddresses implements Iterator<String> {
  private final Supplier<NavigableMap<String, LegacyItem>> read;
  private @Nullable NavigableMap<String, LegacyItem> found;
  private @Nullable String last;

  LegacyAddresses(LegacyRecords records, String prefix, String startAfter) {
    this.read = () -> records.list(prefix, startAfter);
  }

  private NavigableMap<String, LegacyItem> found() {
    NavigableMap<String, LegacyItem> known = found;
    if (known == null) {
      known = read.get();
      found = known;
    }
    return known;
  }

  private @Nullable String following() {
    NavigableMap<String, LegacyItem> all = found();
    if (last != null) {
      return all.higherKey(last);
    }
    return all.isEmpty() ? null : all.firstKey();
  }

  @Override
  public boolean hasNext() {
    return following() != null;
  }

  @Override
  public String next() {
    String next = following();
    if (next == null) {
      throw new NoSuchElementException();
    }
    last = next;
    return next;
  }

  /** The record of one of the addresses. */
  Optional<NameRecord> record(String pk) {
    return Optional.ofNullable(found().get(pk)).map(LegacyItem::record);
  }
}
