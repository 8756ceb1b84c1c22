// SPDX-License-Identifier: Apache-2.0
/**
 * Requests as people and programs write them. Start with {@link
 * io.tidemark.features.view.BatchJson} for a batch and {@link
 * io.tidemark.features.view.PointInTime} for a past state.
 */
@NullMarked
package io.tidemark.features.view;

import org.jspecify.annotations.NullMarked;
