// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** An address that no record can have. See {@link Address}. */
public final class InvalidAddressException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 80;

  InvalidAddressException(String text, String problem) {
    super(ErrorCode.INVALID_ADDRESS, "the address \"" + printable(text) + "\" " + problem, null);
  }

  private static String printable(String text) {
    String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    return shown.replaceAll("\\p{Cntrl}", "?");
  }
}
