// SPDX-License-Identifier: Apache-2.0
/**
 * Routes of the objects of ledgers and events, for clients that access them with the same code as a
 * store of their own.
 *
 * <p>Start with {@link io.tidemark.server.objects.ObjectRoutes}. {@link
 * io.tidemark.server.objects.ObjectPermissions} alone decides which caller may access which key.
 */
@NullMarked
package io.tidemark.server.objects;

import org.jspecify.annotations.NullMarked;
