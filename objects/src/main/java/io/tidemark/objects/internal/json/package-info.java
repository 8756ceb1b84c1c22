// SPDX-License-Identifier: Apache-2.0
/**
 * Canonical JSON: the form in which JSON is stored, hashed and compared.
 *
 * <p>Start with {@link io.tidemark.objects.internal.json.CanonicalJson}, the form that is stored
 * and hashed, and {@link io.tidemark.objects.internal.json.NormalizedJson}, the form by which two
 * payloads are compared.
 */
@NullMarked
package io.tidemark.objects.internal.json;

import org.jspecify.annotations.NullMarked;
