// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.features.TransactionsRequest;
import io.tidemark.client.features.HttpFeatures;
import io.tidemark.features.Features;
import io.tidemark.features.read.Reading;
import io.tidemark.features.view.TransactionJson;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.TidemarkException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How features are: how many collections there are, and whether transactions get their numbers,
 * without which heads don't move and who follows the log hears nothing.
 *
 * @param json as programs get it; with a problem in it, if they can't be asked
 */
public record FeatureStatus(ObjectNode json) {

  /** How many transactions are looked at, from the newest on. */
  public static final int LOOKED_AT = 200;

  private static final String NONE = "no-features";

  /** Of this process. */
  public static FeatureStatus of(Features features) {
    JsonNode newest = TransactionJson.of(features.log().last(LOOKED_AT));
    return new FeatureStatus(told(features.read(Reading::collections).size(), newest));
  }

  /** Of a server. */
  public static FeatureStatus of(HttpFeatures server) {
    JsonNode newest = server.log().last(LOOKED_AT);
    return new FeatureStatus(told(server.collections().size(), newest));
  }

  /** Returns the status of a storage, here or on a server. */
  public static FeatureStatus of(FeatureService service) {
    JsonNode newest =
        WireJson.tree(service.log().list(TransactionsRequest.newest(LOOKED_AT)).items());
    int collections = service.collections(CollectionsRequest.current()).size();
    return new FeatureStatus(told(collections, newest));
  }

  /** Looks; empty where there are none, and with the problem where they can't be asked. */
  public static Optional<FeatureStatus> tried(Supplier<FeatureStatus> look) {
    try {
      return Optional.of(look.get());
    } catch (StoreAccessException e) {
      return Optional.empty(); // out of the caller's reach, as names may be
    } catch (TidemarkException e) {
      return e.code().equals(NONE)
          ? Optional.empty()
          : Optional.of(
              new FeatureStatus(
                  JsonNodeFactory.instance.objectNode().put("problem", e.getMessage())));
    }
  }

  private static ObjectNode told(int collections, JsonNode newest) {
    long numbered = 0;
    int waiting = 0;
    String since = null;
    for (JsonNode transaction : newest) {
      if (transaction.path("seq_number").isNumber()) {
        numbered = Math.max(numbered, transaction.path("seq_number").asLong());
      } else {
        waiting++;
        since = transaction.path("ts").asText(); // the newest come first
      }
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("collections", collections)
        .put("numbered_up_to", numbered)
        .put("waiting", waiting)
        .put("waiting_since", since);
  }
}
