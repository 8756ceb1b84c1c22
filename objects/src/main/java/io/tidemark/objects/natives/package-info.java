// SPDX-License-Identifier: Apache-2.0
/**
 * Native libraries of drivers, unpacked once into the user's cache directory.
 *
 * <p>{@link io.tidemark.objects.natives.DuckDbLibrary} makes DuckDB's driver load its library from
 * {@link io.tidemark.objects.natives.LibraryCache} instead of unpacking it in every process.
 */
@NullMarked
package io.tidemark.objects.natives;

import org.jspecify.annotations.NullMarked;
