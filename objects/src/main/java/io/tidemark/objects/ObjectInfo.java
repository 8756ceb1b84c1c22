// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.time.Instant;

/**
 * Metadata of an object, without its bytes.
 *
 * @param key its key
 * @param etag its version
 * @param size its length in bytes
 * @param lastModified when that version was written, by the store's clock; for display and for the
 *     age limits of cleaners, never for order
 */
public record ObjectInfo(String key, ETag etag, long size, Instant lastModified) {}
