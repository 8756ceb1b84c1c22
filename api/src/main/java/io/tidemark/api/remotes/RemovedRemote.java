// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

/**
 * Result of forgetting a remote.
 *
 * @param removed its name
 */
public record RemovedRemote(String removed) {}
