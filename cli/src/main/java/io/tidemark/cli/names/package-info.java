// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on names: records, branches, concerns, locks, graph sources, migration. Each class is a
 * verb; {@link io.tidemark.cli.names.NamesOptions} is what they share, {@link
 * io.tidemark.cli.names.RecordFormatter} how records are printed. What the verbs do lives in {@code
 * io.tidemark.names}.
 */
@NullMarked
package io.tidemark.cli.names;

import org.jspecify.annotations.NullMarked;
