// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on names: records, branches, concerns, locks, graph sources, migration. Each class is a
 * verb; {@link io.tidemark.cli.names.NamesOptions} has the options that they share, {@link
 * io.tidemark.cli.names.RecordFormatter} prints records. The verbs are adapters of {@code
 * io.tidemark.names}.
 */
@NullMarked
package io.tidemark.cli.names;

import org.jspecify.annotations.NullMarked;
