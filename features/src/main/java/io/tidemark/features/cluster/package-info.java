// SPDX-License-Identifier: Apache-2.0
/**
 * A private PostgreSQL for people who have no server: its own cluster, made with the programs of
 * the machine and kept in a directory. Start with {@link
 * io.tidemark.features.cluster.PrivateCluster}.
 *
 * <p>What is kept in the cluster is of no concern here.
 */
@NullMarked
package io.tidemark.features.cluster;

import org.jspecify.annotations.NullMarked;
