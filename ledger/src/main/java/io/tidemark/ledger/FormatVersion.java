// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.LedgerLayout;
import io.tidemark.ledger.internal.store.LedgerObjects;
import io.tidemark.objects.UnsupportedStoreException;
import io.tidemark.objects.UtcTimestamp;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.time.Instant;

/** Version of a ledger's object layout. Only the first is supported here. */
final class FormatVersion {

  static final String VERSION = "v1";

  private FormatVersion() {}

  static ObjectNode json(Instant now) {
    return CanonicalJson.object()
        .put("backend", "s3")
        .put("engine_version", VERSION)
        .put("created_at", UtcTimestamp.format(now));
  }

  /** Refuses an unsupported version. A ledger that doesn't state its version is of the first. */
  static void check(LedgerObjects objects) {
    String version =
        objects
            .read(LedgerLayout.ENGINE)
            .map(found -> found.json().path("engine_version").asText())
            .orElse(VERSION);
    if (!version.equals(VERSION)) {
      throw new UnsupportedStoreException(
          "the ledger in "
              + objects.location()
              + " has engine version \""
              + version
              + "\" by its "
              + LedgerLayout.ENGINE
              + ", and only "
              + VERSION
              + " is supported here; export it with the program that wrote it, and import it into a"
              + " new ledger");
    }
  }
}
