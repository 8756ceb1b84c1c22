// SPDX-License-Identifier: Apache-2.0
/**
 * Records as JSON documents in an object store: a directory, S3, memory.
 *
 * <p>Start with {@link io.tidemark.names.objects.ObjectNameBackend}, which says how several
 * documents stay one record, and {@link io.tidemark.names.objects.Layout}, which says what goes
 * into which. {@code RecordKey} is where they lie; {@code MainDocument}, {@code SideDocument} and
 * {@code ConcernFormat} are what they look like; {@code OldShapes} reads what earlier programs
 * wrote, and {@code Migration} converts it all at once.
 */
@NullMarked
package io.tidemark.names.objects;

import org.jspecify.annotations.NullMarked;
