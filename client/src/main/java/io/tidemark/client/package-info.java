// SPDX-License-Identifier: Apache-2.0
/**
 * Another Tidemark, over HTTP: its names and its objects behind the same interfaces as a directory
 * or S3, so that all that works there works on a server. The services of the API are in the
 * packages below.
 */
@NullMarked
package io.tidemark.client;

import org.jspecify.annotations.NullMarked;
