// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import io.tidemark.server.problem.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Error handler that turns Jetty's own refusals into problem documents, without Jetty's texts. */
public final class ProblemErrorHandler extends ErrorHandler {

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    disableContentSniffing(response);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.TYPE);
    response.write(true, ByteBuffer.wrap(bytes(code)), callback);
  }

  /** Returns true for every method, since programs rely on the problem code in all cases. */
  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  /**
   * Keeps browsers from rendering an answer as a page, since it may contain text of the request.
   */
  static void disableContentSniffing(Response response) {
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
  }

  private static byte[] bytes(int status) {
    String id = UUID.randomUUID().toString();
    return problem(status).json(id).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the problem for a status that Jetty answers with. */
  static Problem problem(int status) {
    return switch (status) {
      case 408 -> Problem.of(status, "broken-off", "the request took too long; send it again");
      case 413 -> Problem.of(status, "too-large", "the body is too long; send less at a time");
      case 414 -> Problem.of(status, "too-large", "the path or the query is too long; shorten it");
      case 431 -> Problem.of(status, "too-large", "the head of the request is too long");
      case 503 -> Problem.of(status, "unavailable", "the server is about to stop; try another");
      default ->
          status >= 500
              ? Problem.of(status, "bug", "the server failed; its log says why")
              : Problem.of(status, "bad-message", "the request isn't understood; see RFC 9112");
    };
  }
}
