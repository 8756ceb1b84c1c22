// SPDX-License-Identifier: Apache-2.0
/**
 * Activities of a feature, state by state, each with a patch that restores the previous state.
 *
 * <p>Start with {@link io.tidemark.features.activity.Activity}. The states themselves are read
 * elsewhere.
 */
@NullMarked
package io.tidemark.features.activity;

import org.jspecify.annotations.NullMarked;
