// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ledger.internal.store.Manifest;
import io.tidemark.ledger.schema.InvalidValueException;
import io.tidemark.objects.internal.json.CanonicalJson;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Metadata that users give for a commit, as it is stored with it. */
public final class Metadata {

  private static final String OPERATION = "operation";

  private Metadata() {}

  /**
   * Returns the metadata of a commit on top of that of every commit.
   *
   * @throws InvalidValueException when it would make other programs believe that types were dropped
   */
  public static ObjectNode of(Map<String, String> always, Map<String, String> own) {
    if (Manifest.DROP_OPERATION.equals(own.get(OPERATION))) {
      throw new InvalidValueException(
          "the metadata "
              + OPERATION
              + "="
              + Manifest.DROP_OPERATION
              + " is what a drop is known by; use another word, or drop the type");
    }
    SortedMap<String, String> all = new TreeMap<>(CanonicalJson.ORDER); // as it is stored
    all.putAll(always);
    all.putAll(own);
    ObjectNode json = CanonicalJson.object();
    all.forEach(json::put);
    return json;
  }
}
