// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.objects;

import io.tidemark.names.Concern;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.Kind;
import io.tidemark.names.NameRecord;

/** Records with parts exchanged. */
final class Records {

  private Records() {}

  static NameRecord with(
      NameRecord record, Concern concern, ConcernValue value, NameRecord.Meta meta) {
    return new NameRecord(
        record.address(),
        meta,
        concern == Concern.HEAD ? value : record.head(),
        concern == Concern.INDEX ? value : record.index(),
        concern == Concern.STATUS ? value : record.status(),
        concern == Concern.CONFIG ? value : record.config());
  }

  static NameRecord withIndex(NameRecord record, ConcernValue index, long indexRev) {
    NameRecord.Meta meta = record.meta();
    NameRecord.Meta now =
        new NameRecord.Meta(
            meta.kind(),
            meta.sourceType(),
            meta.dependencies(),
            meta.createdAt(),
            meta.updatedAtMs(),
            meta.retracted(),
            meta.sourceBranch(),
            meta.branches(),
            indexRev,
            meta.recordId());
    return with(record, Concern.INDEX, index, now);
  }

  /** Only ledgers have a head. */
  static boolean has(NameRecord record, Concern concern) {
    return concern != Concern.HEAD || record.meta().kind() == Kind.LEDGER;
  }
}
