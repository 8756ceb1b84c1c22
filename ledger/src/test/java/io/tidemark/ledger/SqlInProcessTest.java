// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.query.QuerySettings.Isolation;

/** What SQL finds is the same when statements run in processes of their own. */
class SqlInProcessTest extends SqlTest {

  @Override
  Isolation isolation() {
    return Isolation.OWN_PROCESS;
  }
}
