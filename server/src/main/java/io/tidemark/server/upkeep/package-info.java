// SPDX-License-Identifier: Apache-2.0
/** What is done for ledgers while nobody asks for it. */
@NullMarked
package io.tidemark.server.upkeep;

import org.jspecify.annotations.NullMarked;
