// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a host; an interface so that a test can own what names mean. */
@FunctionalInterface
interface HostResolver {
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /** As this machine does it. */
  static HostResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
