// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger;

import io.tidemark.testkit.objects.Operation;
import java.util.regex.Pattern;

/**
 * A request, recognised in another run of the same work: the random part of an attempt's name is
 * left out of its key.
 *
 * @param nth how many requests of the same kind to the same key there were with it, from 1
 */
record RequestKey(Operation operation, String key, int nth) {

  private static final Pattern ATTEMPT = Pattern.compile("(\\d)-[0-9a-f]{8}([/.])");

  static String withoutAttempt(String key) {
    return ATTEMPT.matcher(key).replaceAll("$1-*$2");
  }

  @Override
  public String toString() {
    return operation + " " + key + (nth == 1 ? "" : " (" + nth + ")");
  }
}
