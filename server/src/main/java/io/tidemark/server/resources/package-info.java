// SPDX-License-Identifier: Apache-2.0
/**
 * The {@link io.tidemark.server.resources.ServerResources resources} that a server is started on,
 * and whether it writes to them.
 */
@NullMarked
package io.tidemark.server.resources;

import org.jspecify.annotations.NullMarked;
