// SPDX-License-Identifier: Apache-2.0
/**
 * The nameservice: records of ledgers and graph sources, found by address, that move only by
 * compare-and-set.
 *
 * <p>Start with {@link io.tidemark.names.NameService}, which callers use, and {@link
 * io.tidemark.names.NameRecord}, which it keeps. {@link io.tidemark.names.NameBackend} is what a
 * storage technology implements.
 *
 * <p>What a head points to is opaque here: commits live in the ledger and feature rooms, indices in
 * the rooms of their sources.
 */
@NullMarked
package io.tidemark.names;

import org.jspecify.annotations.NullMarked;
