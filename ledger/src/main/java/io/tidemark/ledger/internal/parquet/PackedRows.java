// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import java.util.Arrays;

/**
 * Rows that are to become a group, in arrays: an object for each would have to be moved by the
 * garbage collector before the group is complete.
 */
final class PackedRows {

  private static final int FIRST = 16;

  private byte[][] bytes = new byte[FIRST][];
  private int[] starts = new int[FIRST];
  private long[] commitIds = new long[FIRST];
  private long[] versions = new long[FIRST];
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(PackedRow row) {
    if (size == starts.length) {
      int more = size * 2;
      bytes = Arrays.copyOf(bytes, more);
      starts = Arrays.copyOf(starts, more);
      commitIds = Arrays.copyOf(commitIds, more);
      versions = Arrays.copyOf(versions, more);
    }
    bytes[size] = row.bytes();
    starts[size] = row.at();
    commitIds[size] = row.commitId();
    versions[size] = row.schemaVersionId();
    size++;
  }

  long commitId(int index) {
    return commitIds[index];
  }

  long schemaVersionId(int index) {
    return versions[index];
  }

  byte[] bytes(int index) {
    return bytes[index];
  }

  /** Returns where a part begins in the bytes; behind those of the identity comes the payload. */
  int part(int index, int number) {
    return PackedRow.part(bytes[index], starts[index], number);
  }
}
