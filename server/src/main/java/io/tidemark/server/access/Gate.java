// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import io.tidemark.server.http.Call;
import org.jspecify.annotations.Nullable;

/** Tells who calls, and decides what they may do: nobody else does. */
public final class Gate {

  private Gate() {}

  /** Asks nobody who they are; for a server that only its own machine can reach. */
  public static Gate open() {
    return new Gate();
  }

  /**
   * Who makes a request.
   *
   * @param authorization the header, if there is one
   */
  public Caller caller(@Nullable String authorization) {
    return Caller.anybody();
  }

  /** Ends a request that isn't allowed. */
  public void require(Caller caller, Need need, Call call) {}
}
