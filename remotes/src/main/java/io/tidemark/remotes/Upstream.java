// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.names.Address;

/**
 * Default remote address that a local address is pulled from and pushed to.
 *
 * @param there the address on the remote
 */
public record Upstream(Address local, RemoteName remote, Address there) {}
