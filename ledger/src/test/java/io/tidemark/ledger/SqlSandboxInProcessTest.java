// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.ledger.query.QuerySettings.Isolation;

/** Nothing gets out of a process of its own either. */
class SqlSandboxInProcessTest extends SqlSandboxTest {

  @Override
  Isolation isolation() {
    return Isolation.OWN_PROCESS;
  }
}
