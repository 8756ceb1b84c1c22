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

/** Makes problem documents of what Jetty refuses by itself, which say no word of its own. */
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

  /** Whatever the method was: a program goes by the code in all cases. */
  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  /** A browser is to take no answer, which may show what was asked, for a page. */
  static void disableContentSniffing(Response response) {
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
  }

  private static byte[] bytes(int status) {
    String id = UUID.randomUUID().toString();
    return problem(status).json(id).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** What a status of Jetty's means. */
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
