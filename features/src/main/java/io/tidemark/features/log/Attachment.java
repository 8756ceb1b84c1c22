// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.log;

import java.util.Arrays;
import java.util.HexFormat;

/** The bytes of a message. Two are equal when they hold the same. */
public final class Attachment {

  private final byte[] bytes;

  public Attachment(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attachment that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
