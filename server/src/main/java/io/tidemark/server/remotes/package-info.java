// SPDX-License-Identifier: Apache-2.0
/**
 * The remotes of a server, which it fetches, pulls and pushes from and to itself: {@link
 * io.tidemark.server.remotes.RemoteRoutes}, and {@link
 * io.tidemark.server.remotes.AllowedRemoteLocations} for where they may be.
 */
@NullMarked
package io.tidemark.server.remotes;

import org.jspecify.annotations.NullMarked;
