// SPDX-License-Identifier: Apache-2.0
/**
 * Features of a server, over its HTTP API. {@link io.tidemark.client.features.HttpFeatureService}
 * has its collections, queries and log.
 */
@NullMarked
package io.tidemark.client.features;

import org.jspecify.annotations.NullMarked;
