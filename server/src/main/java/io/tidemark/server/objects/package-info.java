// SPDX-License-Identifier: Apache-2.0
/**
 * The objects that ledgers and events are made of, for clients that read and write them with the
 * same code as on a store of their own.
 *
 * <p>Start with {@link io.tidemark.server.objects.ObjectRoutes}. Who may do what to which key is
 * decided in {@link io.tidemark.server.objects.ObjectPermissions} alone.
 */
@NullMarked
package io.tidemark.server.objects;

import org.jspecify.annotations.NullMarked;
