// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.check;

/**
 * Inconsistency in the stored data.
 *
 * @param id the feature
 * @param uuid the state in question; empty when it has none
 * @param problem description of the inconsistency
 */
public record Flaw(String id, String uuid, String problem) {

  @Override
  public String toString() {
    return "feature '%s', state '%s': %s".formatted(id, uuid, problem);
  }
}
