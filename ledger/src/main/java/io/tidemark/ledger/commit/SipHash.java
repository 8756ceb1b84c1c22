// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.commit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4 with 128 bits of result, by Aumasson and Bernstein: without the key nobody can find
 * two inputs of the same hash, as with SHA-256, and for short inputs it takes half the time.
 */
final class SipHash {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int ROUNDS_A_WORD = 2;
  private static final int ROUNDS_AT_THE_END = 4;

  private final long key0;
  private final long key1;

  SipHash(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  Digest of(byte[] bytes, int from, int to) {
    State state = new State(key0, key1);
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      state.take((long) LONG.get(bytes, at));
    }
    long last = (long) (to - from) << 56;
    for (int shift = 0; at < to; at++, shift += Byte.SIZE) {
      last |= (bytes[at] & 0xffL) << shift;
    }
    state.take(last);
    state.v2 ^= 0xee;
    long high = state.end();
    state.v1 ^= 0xdd;
    return new Digest(high, state.end());
  }

  /** Lives in registers: it never leaves the method above, into which all of this is compiled. */
  private static final class State {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    State(long key0, long key1) {
      v0 = key0 ^ 0x736f6d6570736575L;
      v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
      v2 = key0 ^ 0x6c7967656e657261L;
      v3 = key1 ^ 0x7465646279746573L;
    }

    void take(long word) {
      v3 ^= word;
      rounds(ROUNDS_A_WORD);
      v0 ^= word;
    }

    long end() {
      rounds(ROUNDS_AT_THE_END);
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void rounds(int count) {
      for (int i = 0; i < count; i++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
    }
  }
}
