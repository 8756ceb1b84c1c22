// SPDX-License-Identifier: Apache-2.0
/**
 * What ledgers tell as JSON: the same on the command line with {@code --json} and over HTTP. Names
 * of members stay as they are from release to release.
 *
 * <p>Start with {@link io.tidemark.ledger.view.RowJson} and {@link
 * io.tidemark.ledger.view.CommitJson}; each class is about one thing that can be told.
 */
@NullMarked
package io.tidemark.ledger.view;

import org.jspecify.annotations.NullMarked;
