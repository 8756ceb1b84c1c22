// SPDX-License-Identifier: Apache-2.0
/**
 * What a server logs: a line an entry on standard error, as text or as JSON, with the id of the
 * request that it is about. Other verbs warn in plain lines and don't load any of this.
 *
 * <p>Start with {@link io.tidemark.cli.log.ServerLog}, which is what SLF4J is given.
 */
@NullMarked
package io.tidemark.cli.log;

import org.jspecify.annotations.NullMarked;
