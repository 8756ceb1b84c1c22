// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.source;

import io.tidemark.ledger.schema.Entity;
import io.tidemark.ledger.schema.Key;

/** What the ledgers of these tests have. */
@Entity
record Customer(@Key String id, long age) {}
