// SPDX-License-Identifier: Apache-2.0
/**
 * Settings of writers, the publisher that is told of commits, and the failures of a commit.
 *
 * <p>Start with {@link io.tidemark.ledger.commit.WriterSettings}. The commit protocol is internal.
 */
@NullMarked
package io.tidemark.ledger.commit;

import org.jspecify.annotations.NullMarked;
