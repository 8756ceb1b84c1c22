// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.access.Need;

/**
 * One operation of the API.
 *
 * @param method such as {@code GET}; one that is {@code GET} answers {@code HEAD} as well
 * @param template its path, such as {@code /v1/names/{address}}: a step in braces takes any text,
 *     and is a parameter of that name. A last step such as {@code {key...}} takes all that is left
 * @param need what its caller must be allowed to do
 * @param endpoint answers it
 */
public record Route(String method, String template, Need need, Endpoint endpoint) {

  @Override
  public String toString() {
    return method + " " + template;
  }
}
