// SPDX-License-Identifier: Apache-2.0
/**
 * Status and metrics of a whole store for its operator: {@link
 * io.tidemark.server.admin.StoreStatus}, for the command and over HTTP, and {@code /metrics}.
 */
@NullMarked
package io.tidemark.server.admin;

import org.jspecify.annotations.NullMarked;
