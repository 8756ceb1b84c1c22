// SPDX-License-Identifier: Apache-2.0
/**
 * Types that the services of {@link io.tidemark.Tidemark} share: {@link io.tidemark.api.WireJson},
 * the JSON form of requests and results, and {@link io.tidemark.api.Page}, a part of a listing.
 */
@NullMarked
package io.tidemark.api;

import org.jspecify.annotations.NullMarked;
