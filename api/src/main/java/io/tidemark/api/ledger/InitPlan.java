// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.ledger;

import java.util.List;

/**
 * Plan for making a ledger.
 *
 * @param storageUri location of its objects
 * @param alreadyInitialized whether there is a ledger
 * @param forceToken token to begin anew with
 * @param plannedObjects keys that would be written
 */
public record InitPlan(
    String ledger,
    String storageUri,
    boolean alreadyInitialized,
    String forceToken,
    String engineVersion,
    List<String> plannedObjects) {

  public InitPlan {
    plannedObjects = List.copyOf(plannedObjects);
  }
}
