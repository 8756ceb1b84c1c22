// SPDX-License-Identifier: Apache-2.0
/**
 * Records as JSON documents in an object store: a directory, S3, memory.
 *
 * <p>Start with {@link io.tidemark.names.objects.ObjectNameBackend}, which says how several
 * documents stay one record, and {@link io.tidemark.names.objects.DocumentLayout}, which says what
 * goes into which. {@code RecordKey} is where they lie; {@code MainDocument}, {@code SideDocument}
 * and {@code ConcernFormat} are what they look like. The main document is one object that is
 * replaced by compare-and-set ({@code MainConcernWriter}, {@code RecordEditor}); what layouts B and
 * C need besides is in {@code SideConcernWriter} and {@code SideDocumentFences}.
 *
 * <p>{@code InteropKeyNormalizer} reads what other programs write today. Older forms are read by
 * what implements {@link io.tidemark.names.objects.LegacyForms}, in another room, and {@code
 * ObjectMigration} converts them all at once.
 */
@NullMarked
package io.tidemark.names.objects;

import org.jspecify.annotations.NullMarked;
