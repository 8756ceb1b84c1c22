// SPDX-License-Identifier: Apache-2.0
/**
 * The maintainer: what has to be done to a storage from time to time so that it stays quick and
 * keeps no more than it is to keep.
 *
 * <p>Start with {@link io.tidemark.features.maintain.Maintainer}, which does all of it once, and
 * {@link io.tidemark.features.maintain.BackgroundMaintainer}, which does so again and again. Each
 * step is a function of the database and a transaction of its own; what to do is decided here.
 */
@NullMarked
package io.tidemark.features.maintain;

import org.jspecify.annotations.NullMarked;
