// SPDX-License-Identifier: Apache-2.0
/**
 * The object store in a plain directory: the embedded default, safe between threads and processes.
 *
 * <p>Start with {@link io.tidemark.objects.directory.DirectoryBackend}, whose comment explains how
 * a write becomes atomic and durable. {@code FileNames} says which file holds which key, {@code
 * WriteCoordinator} holds what writers of one directory share, {@code DirectoryWalk} lists. {@code
 * WriteLog} makes writes durable, {@code Recovery} puts them in place after a loss of power.
 */
@NullMarked
package io.tidemark.objects.directory;

import org.jspecify.annotations.NullMarked;
