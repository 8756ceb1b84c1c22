// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on features: storages, collections, writing, reading, the log, care. Each class is a
 * verb, or one part of a verb; {@link io.tidemark.cli.features.StorageChoice} is how they get at
 * the storage, {@link io.tidemark.cli.features.ActorOptions} who writes. What the verbs do lives in
 * {@code io.tidemark.features}.
 */
@NullMarked
package io.tidemark.cli.features;

import org.jspecify.annotations.NullMarked;
