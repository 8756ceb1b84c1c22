// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.util.Optional;

/**
 * Response of a server, with its body still to be read; the caller closes it.
 *
 * @param request the request that it answers
 * @param status of the answer
 * @param headers of the answer
 * @param body fails, rather than ends, when the connection breaks off or says nothing for too long
 */
public record StreamedServerResponse(
    ServerRequest request, int status, HttpHeaders headers, InputStream body)
    implements AutoCloseable {

  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  /** Returns whether it was done. */
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /** Reads the whole body, for responses that are known to be small, as problems are. */
  public ServerResponse readWhole() {
    try (InputStream in = body) {
      return new ServerResponse(request, status, headers, in.readAllBytes());
    } catch (IOException e) {
      throw TransportFailures.incompleteResponse(request, e);
    }
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
