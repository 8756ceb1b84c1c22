// SPDX-License-Identifier: Apache-2.0
/**
 * Who may do what. A route says what it {@link io.tidemark.server.access.RequiredPermission needs},
 * a {@link io.tidemark.server.access.Caller} has grants, and {@link
 * io.tidemark.server.access.AccessControl} alone decides.
 */
@NullMarked
package io.tidemark.server.access;

import org.jspecify.annotations.NullMarked;
