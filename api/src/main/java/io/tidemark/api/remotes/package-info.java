// SPDX-License-Identifier: Apache-2.0
/**
 * Other stores that names and ledgers are fetched from, pulled from and pushed to: {@link
 * io.tidemark.api.remotes.RemoteService}, with its requests and results.
 */
@NullMarked
package io.tidemark.api.remotes;

import org.jspecify.annotations.NullMarked;
