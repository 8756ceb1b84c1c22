// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.internal.json;

import java.io.IOException;
import java.util.Arrays;

/**
 * The {@link NormalizedJson value form} of one payload after the other, in an array that is kept.
 */
public final class NormalizedJsonBuffer {

  private byte[] bytes = new byte[256];
  private int length;

  /**
   * Takes that of a JSON text in UTF-8.
   *
   * @throws IOException when it isn't JSON
   */
  public void read(byte[] json, int from, int to) throws IOException {
    length = 0;
    NormalizedJson.feed(json, from, to, this::add);
  }

  /** Takes that of a payload which is known to be canonical. */
  public void read(CanonicalJsonBuffer json) {
    length = 0;
    json.feedValue(this::add);
  }

  private void add(byte[] some, int from, int to) {
    int wanted = Math.addExact(length, to - from);
    if (wanted > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(wanted, Math.min(length * 2L, 1 << 30)));
    }
    System.arraycopy(some, from, bytes, length, to - from);
    length = wanted;
  }

  /** Returns the array that holds the JSON, from 0 on; valid until another is taken. */
  public byte[] array() {
    return bytes;
  }

  /** Returns the number of bytes. */
  public int length() {
    return length;
  }
}
