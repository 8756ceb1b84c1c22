// SPDX-License-Identifier: Apache-2.0
/**
 * Streams of bytes between processes: {@link io.tidemark.objects.internal.streams.DownloadStream}
 * is what a backend hands on of an answer.
 */
@NullMarked
package io.tidemark.objects.internal.streams;

import org.jspecify.annotations.NullMarked;
