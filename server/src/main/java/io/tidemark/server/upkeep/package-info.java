// SPDX-License-Identifier: Apache-2.0
/** Background maintenance of ledgers and features. */
@NullMarked
package io.tidemark.server.upkeep;

import org.jspecify.annotations.NullMarked;
