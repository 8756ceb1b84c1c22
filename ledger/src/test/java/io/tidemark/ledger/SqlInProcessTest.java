// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.query.QuerySettings.Isolation;

/** Tests of SQL with statements that run in processes of their own. */
class SqlInProcessTest extends SqlTest {

  @Override
  Isolation isolation() {
    return Isolation.OWN_PROCESS;
  }
}
