// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.nio.charset.StandardCharsets;

/** Version of an object with its bytes. */
@SuppressWarnings("ArrayRecordComponent") // compared by ETag where it matters; copying costs
public record StoredObject(ETag etag, byte[] bytes) {

  /** Returns the bytes read as UTF-8. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
