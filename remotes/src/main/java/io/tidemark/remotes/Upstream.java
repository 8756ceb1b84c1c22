// SPDX-License-Identifier: Apache-2.0
package io.tidemark.remotes;

import io.tidemark.names.Address;

/**
 * What an address here is pulled from and pushed to unless somebody says otherwise.
 *
 * @param there what it is called on the remote
 */
public record Upstream(Address local, RemoteName remote, Address there) {}
