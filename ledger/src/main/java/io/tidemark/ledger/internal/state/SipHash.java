// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash with 128 bits of result, by Aumasson and Bernstein: without the key it isn't feasible to
 * find two inputs of the same hash, as with SHA-256, and for short inputs it takes a fraction of
 * the time. A record, because the compiler takes what is in one for constants.
 *
 * @param wordRounds how often the state is stirred for each eight bytes
 * @param endRounds how often at the end
 */
record SipHash(long key0, long key1, int wordRounds, int endRounds) {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * Returns SipHash-1-3, which its authors propose where hashes stay inside a process: an attacker
   * that looks for inputs of the same hash never sees one.
   */
  static SipHash sipHash13(long key0, long key1) {
    return new SipHash(key0, key1, 1, 3);
  }

  Digest of(byte[] bytes, int from, int to) {
    State state = new State(key0, key1);
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      state.take((long) LONG.get(bytes, at), wordRounds);
    }
    long last = (long) (to - from) << 56;
    for (int shift = 0; at < to; at++, shift += Byte.SIZE) {
      last |= (bytes[at] & 0xffL) << shift;
    }
    state.take(last, wordRounds);
    state.v2 ^= 0xee;
    long high = state.end(endRounds);
    state.v1 ^= 0xdd;
    return new Digest(high, state.end(endRounds));
  }

  /** State that lives in registers: it never leaves the method above, which inlines all of this. */
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

    void take(long word, int rounds) {
      v3 ^= word;
      rounds(rounds);
      v0 ^= word;
    }

    long end(int rounds) {
      rounds(rounds);
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
