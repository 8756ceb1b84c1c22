// SPDX-License-Identifier: Apache-2.0
/**
 * Features of another Tidemark, over HTTP. Documents go in and come out as JSON, so that a client
 * needs no database driver; what they look like is in the description of the API. Start with {@link
 * io.tidemark.client.features.HttpFeatures}.
 */
@NullMarked
package io.tidemark.client.features;

import org.jspecify.annotations.NullMarked;
