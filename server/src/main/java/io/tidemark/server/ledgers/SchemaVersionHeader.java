// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.ledgers;

import io.tidemark.api.ledger.SchemaVersionMix;
import io.tidemark.server.http.RouteResponse;
import java.util.List;

/**
 * Header of an answer with rows that are shown in another version of their schema. It names as many
 * types as fit in it; a member of a JSON body has them all.
 */
final class SchemaVersionHeader {

  private static final String HEADER = "Tidemark-Schema-Versions";

  /** Maximum number of characters that clients and proxies accept in a header. */
  private static final int MOST = 2048;

  private SchemaVersionHeader() {}

  /** Adds the header, such as {@code entity:Customer: 2 rows of version 1 shown in version 3}. */
  static RouteResponse addTo(RouteResponse routeResponse, List<SchemaVersionMix> mixes) {
    return mixes.isEmpty() ? routeResponse : routeResponse.with(HEADER, text(mixes));
  }

  private static String text(List<SchemaVersionMix> mixes) {
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
