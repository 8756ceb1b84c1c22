// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.server.http.Reply;
import java.util.List;
import java.util.stream.Collectors;

/** Header of an answer that has rows of other versions of their schema than they are shown in. */
final class SchemaVersions {

  private static final String HEADER = "Tidemark-Schema-Versions";

  private SchemaVersions() {}

  /** Adds the header, such as {@code entity:Customer: 2 rows of version 1 shown in version 3}. */
  static Reply noted(Reply reply, List<VersionMix> mixes) {
    return mixes.isEmpty()
        ? reply
        : reply.with(
            HEADER, mixes.stream().map(VersionMix::toString).collect(Collectors.joining("; ")));
  }
}
