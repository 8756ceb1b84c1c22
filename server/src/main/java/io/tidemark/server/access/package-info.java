// SPDX-License-Identifier: Apache-2.0
/**
 * Authentication and authorization. A route has a {@link
 * io.tidemark.server.access.RequiredPermission}, a {@link io.tidemark.server.access.Caller} has
 * grants, and {@link io.tidemark.server.access.AccessControl} alone decides.
 */
@NullMarked
package io.tidemark.server.access;

import org.jspecify.annotations.NullMarked;
