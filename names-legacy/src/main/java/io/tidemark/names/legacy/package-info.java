// SPDX-License-Identifier: Apache-2.0

/**
 * Forms and places in which earlier programs left records in object stores: the file in the root,
 * {@code ns@v1/}, and three older sets of keys below {@code ns@v2/}. It turns them into today's
 * keys; reading, writing and moving records is the business of {@code io.tidemark.names.objects}.
 *
 * <p>Start with {@link io.tidemark.names.legacy.LegacyDocumentForms}, which is found by service
 * loading.
 */
@NullMarked
package io.tidemark.names.legacy;

import org.jspecify.annotations.NullMarked;
