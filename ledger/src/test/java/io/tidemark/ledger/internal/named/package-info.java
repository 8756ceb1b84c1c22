// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tidemark.ledger.internal.named;

import org.jspecify.annotations.NullMarked;
