// SPDX-License-Identifier: Apache-2.0
/**
 * Contract suites of the service of ledgers, run in process and over a real server: {@link
 * io.tidemark.testkit.ledger.LedgerReadingContract} and {@link
 * io.tidemark.testkit.ledger.LedgerWritingContract}.
 */
@NullMarked
package io.tidemark.testkit.ledger;

import org.jspecify.annotations.NullMarked;
