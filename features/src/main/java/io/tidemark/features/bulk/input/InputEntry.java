// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

/**
 * The text of one feature.
 *
 * @param position its place in the input, from 1, in units of the input's; no two have the same
 * @param line the line it begins in, from 1
 * @param text in UTF-8, supposedly
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, and compared by nobody
public record InputEntry(long position, long line, byte[] text) {}
