// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.objects.internal.hash.Sha256;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;

/** Factory of event ids. */
public final class EventIds {

  private static final long VERSION_MASK = 0xffff_ffff_ffff_0fffL;
  private static final long VARIANT_MASK = 0x3fff_ffff_ffff_ffffL;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private EventIds() {}

  /** Returns a new id, a UUID of version 7: ids of later milliseconds sort after it. */
  public static String next(Instant now) {
    UUID random = UUID.randomUUID();
    long time = now.toEpochMilli() << 16;
    long high = time | 0x7000L | (random.getMostSignificantBits() & 0x0fffL);
    return new UUID(high, random.getLeastSignificantBits()).toString();
  }

  /**
   * Returns an id derived from its parts, a UUID of version 8. A retry, or several writers at the
   * same time, thereby publish one event.
   */
  public static String of(String... parts) {
    Sha256 digest = new Sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      digest.update(bytes);
    }
    ByteBuffer hash = ByteBuffer.wrap(digest.bytes());
    long high = (hash.getLong() & VERSION_MASK) | 0x8000L;
    return new UUID(high, (hash.getLong() & VARIANT_MASK) | VARIANT).toString();
  }
}
