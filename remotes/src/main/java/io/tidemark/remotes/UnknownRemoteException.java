// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;

/** There is no remote of that name. */
public final class UnknownRemoteException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  public UnknownRemoteException(RemoteName name) {
    super(
        ErrorCode.NOT_FOUND,
        "there is no remote "
            + name
            + "; 'remote list' shows those there are, 'remote add' makes one",
        null);
  }
}
