// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tidemark.ledger.internal.text;

import org.jspecify.annotations.NullMarked;
