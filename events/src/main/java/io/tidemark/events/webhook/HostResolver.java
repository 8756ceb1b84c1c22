// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolver of the addresses of a host; an interface so that a test can replace it. */
@FunctionalInterface
interface HostResolver {
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /** Returns the resolver of this machine. */
  static HostResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
