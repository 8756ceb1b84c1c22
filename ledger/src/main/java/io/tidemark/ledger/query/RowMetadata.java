// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;

/**
 * What a row is, beside what it says.
 *
 * @param commitId the commit that wrote it
 */
public record RowMetadata(long commitId, TypeId type, Identity identity) {}
