// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.features.CollectionsRequest;
import io.tidemark.api.features.FeatureService;
import io.tidemark.api.features.FeatureTransaction;
import io.tidemark.api.features.TransactionsRequest;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.TidemarkException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Status of features: the number of collections, and whether transactions get their numbers.
 * Without numbers heads don't move, and followers of the log receive nothing.
 *
 * @param json status as JSON; contains a problem if it couldn't be read
 */
public record FeatureStatus(ObjectNode json) {

  /** Maximum number of transactions to inspect, from the newest on. */
  public static final int LOOKED_AT = 200;

  private static final String NONE = "no-features";

  /** Returns the status of a feature service, embedded or on a server. */
  public static FeatureStatus of(FeatureService service) {
    List<FeatureTransaction> newest =
        service.log().list(TransactionsRequest.newest(LOOKED_AT)).items();
    List<FeatureTransaction> waiting =
        newest.stream().filter(transaction -> transaction.seqNumber().isEmpty()).toList();
    return new FeatureStatus(
        JsonNodeFactory.instance
            .objectNode()
            .put("collections", service.collections(CollectionsRequest.current()).size())
            .put(
                "numbered_up_to",
                newest.stream()
                    .mapToLong(transaction -> transaction.seqNumber().orElse(0L))
                    .max()
                    .orElse(0))
            .put("waiting", waiting.size())
            .put(
                "waiting_since", // the newest come first
                waiting.isEmpty() ? null : waiting.get(waiting.size() - 1).ts().toString()));
  }

  /** Reads the status; empty without features, and with the problem if the read fails. */
  public static Optional<FeatureStatus> tryRead(Supplier<FeatureStatus> look) {
    try {
      return Optional.of(look.get());
    } catch (StoreAccessException e) {
      return Optional.empty(); // the caller may not read it, as with names
    } catch (TidemarkException e) {
      return e.code().equals(NONE)
          ? Optional.empty()
          : Optional.of(
              new FeatureStatus(
                  JsonNodeFactory.instance.objectNode().put("problem", e.getMessage())));
    }
  }
}
