// SPDX-License-Identifier: Apache-2.0
/** Names over HTTP. */
@NullMarked
package io.tidemark.server.names;

import org.jspecify.annotations.NullMarked;
