// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs on remotes: naming other stores, fetching, pulling, pushing and cloning. Each class is
 * a verb; {@link io.tidemark.cli.remotes.RemotesMixin} is what all share, {@link
 * io.tidemark.cli.remotes.TransferOutcomeFormatter} how a push or a pull is said to have ended.
 * What the verbs do is done by {@code io.tidemark.api.remotes}.
 */
@NullMarked
package io.tidemark.cli.remotes;

import org.jspecify.annotations.NullMarked;
