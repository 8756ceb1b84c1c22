// SPDX-License-Identifier: Apache-2.0
/**
 * The maintainer: periodic work that keeps a storage fast and drops data that is past its
 * retention.
 *
 * <p>Start with {@link io.tidemark.features.maintain.Maintainer}, which runs once, and {@link
 * io.tidemark.features.maintain.BackgroundMaintainer}, which runs at intervals. Each step is a
 * function of the database and a transaction of its own; this package decides which steps are due.
 */
@NullMarked
package io.tidemark.features.maintain;

import org.jspecify.annotations.NullMarked;
