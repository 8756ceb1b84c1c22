// SPDX-License-Identifier: Apache-2.0
/**
 * The routes of names: records, concerns, branches, graph sources, locks, and what the client needs
 * to be a backend itself. Start from {@link io.tidemark.server.names.NameRoutes}, which has them
 * all; {@link io.tidemark.server.names.RecordRenderer} decides what of a record a caller is shown.
 */
@NullMarked
package io.tidemark.server.names;

import org.jspecify.annotations.NullMarked;
