// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.query.plan.VersionMix;
import io.tidemark.ledger.view.AnswerJson;
import io.tidemark.server.http.Reply;
import java.util.List;

/**
 * Notes on an answer that has rows of other versions of their schema than they are shown in: a
 * header, which names as many types as fit in it, and a member of a JSON body, which has them all.
 */
final class SchemaVersions {

  private static final String HEADER = "Tidemark-Schema-Versions";

  private static final String MEMBER = "schema_versions";

  /** Number of characters that clients and proxies bear in a header. */
  private static final int MOST = 2048;

  private SchemaVersions() {}

  /** Adds the header, such as {@code entity:Customer: 2 rows of version 1 shown in version 3}. */
  static Reply noted(Reply reply, List<VersionMix> mixes) {
    return mixes.isEmpty() ? reply : reply.with(HEADER, text(mixes));
  }

  /** Adds the member to the document that is the body of an answer. */
  static ObjectNode noted(ObjectNode body, List<VersionMix> mixes) {
    if (!mixes.isEmpty()) {
      body.set(MEMBER, AnswerJson.versions(mixes));
    }
    return body;
  }

  private static String text(List<VersionMix> mixes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < mixes.size(); i++) {
      String next = (i == 0 ? "" : "; ") + mixes.get(i);
      String cut =
          "; cut here, with %d of %d types left out".formatted(mixes.size() - i, mixes.size());
      boolean last = i == mixes.size() - 1;
      if (text.length() + next.length() + (last ? 0 : cut.length()) > MOST) {
        return text.append(i == 0 ? cut.substring(2) : cut).toString();
      }
      text.append(next);
    }
    return text.toString();
  }
}
