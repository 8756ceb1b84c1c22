// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.query;

import io.tidemark.ledger.schema.Identity;
import io.tidemark.ledger.schema.TypeId;

/**
 * Metadata of a row, beside its fields.
 *
 * @param commitId the commit that wrote it
 */
public record RowMetadata(long commitId, TypeId type, Identity identity) {}
