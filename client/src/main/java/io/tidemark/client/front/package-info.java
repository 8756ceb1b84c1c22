// SPDX-License-Identifier: Apache-2.0
/**
 * A server as one {@link io.tidemark.Tidemark}: {@link io.tidemark.client.front.HttpTidemark} joins
 * the services of the packages beside it.
 */
@NullMarked
package io.tidemark.client.front;

import org.jspecify.annotations.NullMarked;
