// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tidemark.ledger.query.replica;

import org.jspecify.annotations.NullMarked;
