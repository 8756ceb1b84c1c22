// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

/**
 * Location of another store.
 *
 * @param name name of the remote
 */
public record RemoteLocation(String name, String location) {}
