// SPDX-License-Identifier: Apache-2.0
/**
 * What an operator wants to know of a whole store: {@link io.tidemark.server.admin.StoreStatus},
 * for the command and over HTTP.
 */
@NullMarked
package io.tidemark.server.admin;

import org.jspecify.annotations.NullMarked;
