// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.util.Map;
import java.util.Optional;

/**
 * A request as it arrived.
 *
 * @param operation what it asks
 * @param bucket of which bucket
 * @param key of which object; empty when it is about the bucket
 * @param query the parameters of its URL, decoded
 * @param headers by lower-case name; of a repeated one the first
 */
public record RecordedRequest(
    S3Operation operation,
    String bucket,
    String key,
    Map<String, String> query,
    Map<String, String> headers) {

  public RecordedRequest {
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
  }

  /** The value of a header, whose name is given in lower case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Whether it is to be applied only if a condition holds. */
  public boolean isConditional() {
    return headers.containsKey("if-match") || headers.containsKey("if-none-match");
  }
}
