// SPDX-License-Identifier: Apache-2.0
/**
 * The object store on S3, and on servers that speak its protocol and honour conditional writes.
 *
 * <p>Start with {@link io.tidemark.objects.s3.S3Backend}; {@link io.tidemark.objects.s3.S3Settings}
 * says where and how to connect. Within, {@code S3ErrorTranslator} has the table of what each
 * answer, and each missing one, means, and {@code S3Probe} what a server must do to be accepted.
 *
 * <p>What is true of every store (keys, retries, lost answers, leases) lives in {@code
 * io.tidemark.objects}.
 */
@NullMarked
package io.tidemark.objects.s3;

import org.jspecify.annotations.NullMarked;
