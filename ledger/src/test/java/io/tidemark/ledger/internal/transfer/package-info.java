// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tidemark.ledger.internal.transfer;

import org.jspecify.annotations.NullMarked;
