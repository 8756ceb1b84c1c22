// SPDX-License-Identifier: Apache-2.0
/**
 * What tests of the object store and of everything that stands on it share.
 *
 * <p>A backend proves itself by a subclass of {@link
 * io.tidemark.testkit.objects.ObjectStoreContract}, or of {@link
 * io.tidemark.testkit.objects.SharedObjectStoreContract} when other processes can reach it. A room
 * above puts {@link io.tidemark.testkit.objects.FaultyBackend} under its store to see what it does
 * when answers get lost, and {@link io.tidemark.testkit.objects.CountingBackend} to see what it
 * costs.
 */
@NullMarked
package io.tidemark.testkit.objects;

import org.jspecify.annotations.NullMarked;
