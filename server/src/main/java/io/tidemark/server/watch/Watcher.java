// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.watch;

import io.tidemark.server.http.Follower;

/** Somebody who follows what moves. */
abstract class Watcher extends Follower {

  /** About so much is written at once. */
  static final int CHUNK = 32 << 10;

  private final Hub hub;
  private final View view;

  Watcher(Hub hub, View view) {
    super(view.visitor());
    this.hub = hub;
    this.view = view;
  }

  final Hub hub() {
    return hub;
  }

  final View view() {
    return view;
  }

  @Override
  protected final void joined() {
    hub.join(this);
  }

  @Override
  protected final void left() {
    hub.leave(this);
  }
}
