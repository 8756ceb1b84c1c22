// SPDX-License-Identifier: Apache-2.0
/**
 * Another Tidemark, over HTTP: its names and its objects behind the same interfaces as a directory
 * or S3, so that all that works there works on a server. Its features are in {@code features}, its
 * remotes in {@link io.tidemark.client.HttpRemotes}.
 */
@NullMarked
package io.tidemark.client;

import org.jspecify.annotations.NullMarked;
