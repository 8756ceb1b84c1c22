// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on remotes: naming other stores, fetching, pulling, pushing and cloning. Each class is
 * a verb; {@link io.tidemark.cli.remotes.RemotesMixin} has the options that all share, {@link
 * io.tidemark.cli.remotes.TransferOutcomeFormatter} formats the result of a push or a pull. The
 * verbs are adapters of {@code io.tidemark.api.remotes}.
 */
@NullMarked
package io.tidemark.cli.remotes;

import org.jspecify.annotations.NullMarked;
