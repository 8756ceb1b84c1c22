// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.Caller;
import io.tidemark.server.access.Gate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes every request: names it, finds its route, asks the gate, has it answered. */
public final class Front extends Handler.Abstract {

  private static final Logger LOG = LoggerFactory.getLogger(Front.class);
  private static final String REQUEST_ID = "X-Request-Id";
  private static final Pattern FOREIGN_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final JsonMapper JSON = new JsonMapper();

  private final Routes routes;
  private final Gate gate;
  private final Limits limits;

  public Front(Routes routes, Gate gate, Limits limits) {
    this.routes = routes;
    this.gate = gate;
    this.limits = limits;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String id = id(request);
    response.getHeaders().put(REQUEST_ID, id);
    Reply reply;
    try {
      reply = reply(request, id);
    } catch (Throwable e) {
      reply = failed(e, request, id);
    }
    try {
      send(reply, request, response, callback, id);
    } catch (Throwable e) {
      LOG.warn("request {}: its answer broke off: {}", id, e.toString());
      callback.failed(e);
    }
    return true;
  }

  /** The caller's own name for a request, if it is harmless in logs. */
  private static String id(Request request) {
    String given = request.getHeaders().get(REQUEST_ID);
    return given != null && FOREIGN_ID.matcher(given).matches()
        ? given
        : UUID.randomUUID().toString();
  }

  private Reply reply(Request request, String id) throws IOException {
    Routes.Match match = routes.find(request.getMethod(), request.getHttpURI().getPath());
    Caller caller = gate.caller(request.getHeaders().get(HttpHeader.AUTHORIZATION));
    Fields query = Request.extractQueryParameters(request);
    Call call = new Call(request, match.parameters(), query, caller, limits, id);
    gate.require(caller, match.route().need(), call);
    boolean wideAsText = WideNumbers.asText(call);
    Reply reply = match.route().endpoint().answer(call);
    return wideAsText && reply instanceof Reply.Json json
        ? new Reply.Json(
            json.status(), json.type(), WideNumbers.asText(json.body()), json.headers())
        : reply;
  }

  private static Reply failed(Throwable e, Request request, String id) {
    if (e instanceof ProblemException known) {
      return new Reply.Failed(known.problem(), known.headers());
    }
    if (e instanceof TidemarkException known) {
      return Reply.problem(Problem.of(known));
    }
    LOG.error("request {}: {} failed", id, request.getMethod(), e);
    return Reply.problem(
        Problem.of(500, "bug", "the server failed; its log says why under this request's id"));
  }

  private static void send(
      Reply reply, Request request, Response response, Callback callback, String id)
      throws IOException {
    response.setStatus(reply.status());
    for (Map.Entry<String, String> header : reply.headers().entrySet()) {
      response.getHeaders().put(header.getKey(), header.getValue());
    }
    boolean bodiless = request.getMethod().equals("HEAD");
    if (reply instanceof Reply.Streamed streamed) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, streamed.type());
      if (!bodiless) {
        try (OutputStream out = Content.Sink.asOutputStream(response)) {
          streamed.writing().to(out);
        }
      }
      callback.succeeded();
    } else if (reply instanceof Reply.Json json) {
      whole(bytes(json.body()), json.type(), bodiless, response, callback);
    } else if (reply instanceof Reply.Bytes bytes) {
      whole(bytes.content(), bytes.type(), bodiless, response, callback);
    } else if (reply instanceof Reply.Failed failed) {
      whole(bytes(failed.problem().json(id)), Problem.TYPE, bodiless, response, callback);
    } else {
      callback.succeeded();
    }
  }

  private static void whole(
      byte[] bytes, String type, boolean bodiless, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    if (bodiless) {
      callback.succeeded();
    } else {
      response.write(true, ByteBuffer.wrap(bytes), callback);
    }
  }

  private static byte[] bytes(JsonNode json) throws JsonProcessingException {
    return JSON.writeValueAsBytes(json);
  }
}
