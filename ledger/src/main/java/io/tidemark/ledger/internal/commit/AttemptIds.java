// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Generator of attempt ids: 8 random hexadecimal digits, so that no two writers share a directory.
 */
public final class AttemptIds {

  private static final SecureRandom RANDOM = new SecureRandom();

  private AttemptIds() {}

  public static String next() {
    byte[] bytes = new byte[4];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
