// SPDX-License-Identifier: Apache-2.0
/**
 * Routes of the remotes of a server, with which it fetches, pulls and pushes: {@link
 * io.tidemark.server.remotes.RemoteRoutes}, and {@link
 * io.tidemark.server.remotes.AllowedRemoteLocations} for their allowed locations.
 */
@NullMarked
package io.tidemark.server.remotes;

import org.jspecify.annotations.NullMarked;
