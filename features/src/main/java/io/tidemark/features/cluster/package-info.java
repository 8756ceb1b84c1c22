// SPDX-License-Identifier: Apache-2.0
/**
 * A private PostgreSQL for users without a server: its own cluster, created with the programs of
 * the machine and kept in a directory. Start with {@link
 * io.tidemark.features.cluster.PrivateCluster}.
 *
 * <p>This package knows nothing of the contents of the cluster.
 */
@NullMarked
package io.tidemark.features.cluster;

import org.jspecify.annotations.NullMarked;
