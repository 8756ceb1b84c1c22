// SPDX-License-Identifier: Apache-2.0

/**
 * Content hashes, for every room; start from {@link io.tidemark.objects.internal.hash.Sha256}.
 * Hashes that protocols ask for, such as the MD5 of a part of an upload, stay with their protocol.
 */
@NullMarked
package io.tidemark.objects.internal.hash;

import org.jspecify.annotations.NullMarked;
