// SPDX-License-Identifier: Apache-2.0
/**
 * Routes of names: records, concerns, branches, graph sources and locks, and routes for clients
 * that use the server as a store. Start with {@link io.tidemark.server.names.NameRoutes}, which has
 * them all; {@link io.tidemark.server.names.RecordRenderer} decides which parts of a record a
 * caller sees.
 */
@NullMarked
package io.tidemark.server.names;

import org.jspecify.annotations.NullMarked;
