// SPDX-License-Identifier: Apache-2.0
/**
 * Commands on features: storages, collections, writes, reads, the log, maintenance. Each class is a
 * command, or a part of one, and an adapter of {@link io.tidemark.api.features.FeatureService},
 * which {@link io.tidemark.cli.features.FeatureStorageMixin} opens here or on a server.
 */
@NullMarked
package io.tidemark.cli.features;

import org.jspecify.annotations.NullMarked;
