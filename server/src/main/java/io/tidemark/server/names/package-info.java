// SPDX-License-Identifier: Apache-2.0
/** The routes of names: records, concerns, branches, graph sources, locks. */
@NullMarked
package io.tidemark.server.names;

import org.jspecify.annotations.NullMarked;
