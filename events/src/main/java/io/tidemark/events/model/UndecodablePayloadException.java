// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** Thrown when the payload of an event doesn't fit the record that it is read as. */
public final class UndecodablePayloadException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public UndecodablePayloadException(String message) {
    super(ErrorCode.UNDECODABLE_PAYLOAD, message, null);
  }
}
