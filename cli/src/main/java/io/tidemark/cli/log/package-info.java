// SPDX-License-Identifier: Apache-2.0
/**
 * The log of a server: a line for each entry on standard error, as text or as JSON, with the id of
 * its request. Other verbs warn in plain lines and don't load any of this.
 *
 * <p>Start with {@link io.tidemark.cli.log.ServerLog}, the provider for SLF4J.
 */
@NullMarked
package io.tidemark.cli.log;

import org.jspecify.annotations.NullMarked;
