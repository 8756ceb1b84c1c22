// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tidemark.ledger.query;

import org.jspecify.annotations.NullMarked;
