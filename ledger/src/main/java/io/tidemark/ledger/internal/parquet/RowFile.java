// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import io.tidemark.objects.Body;

/**
 * A finished file of rows.
 *
 * @param minCommitId the lowest commit of its rows; 0 when there are none
 * @param maxCommitId the highest; 0 when there are none
 * @param contentSha256 of all its bytes, in hexadecimal
 */
public record RowFile(
    long rowCount, long minCommitId, long maxCommitId, String contentSha256, Body body) {}
