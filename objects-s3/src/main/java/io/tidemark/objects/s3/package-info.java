// SPDX-License-Identifier: Apache-2.0
/**
 * The object store on S3, and on servers that speak its protocol and honour conditional writes.
 *
 * <p>Start with {@code S3Backend}; {@code S3Settings} says where and how to connect. What is true
 * of every store (keys, retries, lost answers, leases) lives in {@code io.tidemark.objects}.
 */
@NullMarked
package io.tidemark.objects.s3;

import org.jspecify.annotations.NullMarked;
