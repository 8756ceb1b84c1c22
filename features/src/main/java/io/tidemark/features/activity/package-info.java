// SPDX-License-Identifier: Apache-2.0
/**
 * What was done to a feature, state by state, with how to get back to the state before.
 *
 * <p>Start with {@link io.tidemark.features.activity.Activity}. The states themselves are read
 * elsewhere.
 */
@NullMarked
package io.tidemark.features.activity;

import org.jspecify.annotations.NullMarked;
