// SPDX-License-Identifier: Apache-2.0
/**
 * Routes of features: collections, their features and history, loads and exports, the transaction
 * log. Start with {@link io.tidemark.server.features.FeatureRoutes}.
 */
@NullMarked
package io.tidemark.server.features;

import org.jspecify.annotations.NullMarked;
