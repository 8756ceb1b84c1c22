// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.servers;

import java.io.EOFException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.gaul.shaded.org.eclipse.jetty.http.HttpField;
import org.gaul.shaded.org.eclipse.jetty.http.HttpFields;
import org.gaul.shaded.org.eclipse.jetty.http.HttpHeader;
import org.gaul.shaded.org.eclipse.jetty.http.HttpURI;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/**
 * Stands between the wire and S3Proxy: notes every request of a known bucket, and lets happen to it
 * what the bucket's {@link BucketFaults} say. It sees requests before their signature is checked,
 * and can't change what is signed.
 */
final class FaultInjectingHandler extends Handler.Wrapper {

  private final Function<String, Optional<S3Bucket>> buckets;

  FaultInjectingHandler(Handler s3proxy, Function<String, Optional<S3Bucket>> buckets) {
    super(s3proxy);
    this.buckets = buckets;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    RecordedRequest wire = parse(request);
    Optional<S3Bucket> bucket = buckets.apply(wire.bucket());
    if (bucket.isEmpty()) {
      return super.handle(request, response, callback);
    }
    S3Bucket known = bucket.get();
    known.requests().add(wire);
    if (known.hasSkewedClock()) {
      ZonedDateTime now = ZonedDateTime.now(known.clock()).withZoneSameInstant(ZoneOffset.UTC);
      response.getHeaders().put(HttpHeader.DATE, DateTimeFormatter.RFC_1123_DATE_TIME.format(now));
    }
    Optional<ServerFault> fault = known.faults().take(wire);
    if (fault.isEmpty()) {
      Response shown = known.hasWeakETags() ? new WeakETagResponse(request, response) : response;
      return super.handle(request, shown, callback);
    }
    return switch (fault.get().when()) {
      case BEFORE_APPLYING -> failBefore(fault.get().effect(), request, response, callback);
      case AFTER_APPLYING -> failAfter(fault.get().effect(), request, response, callback);
    };
  }

  private boolean failBefore(
      ServerFault.Effect effect, Request request, Response response, Callback callback)
      throws Exception {
    if (waits(effect)) {
      await(effect);
      return super.handle(request, response, callback);
    }
    end(effect, request, response, callback);
    return true;
  }

  private boolean failAfter(
      ServerFault.Effect effect, Request request, Response response, Callback callback)
      throws Exception {
    if (waits(effect)) {
      return super.handle(request, new LateResponse(request, response, effect), callback);
    }
    Callback whenApplied =
        Callback.from(() -> end(effect, request, response, callback), callback::failed);
    return super.handle(request, new DiscardedResponse(request, response), whenApplied);
  }

  private static boolean waits(ServerFault.Effect effect) {
    return effect instanceof ServerFault.Effect.Hold || effect instanceof ServerFault.Effect.Delay;
  }

  private static void await(ServerFault.Effect effect) throws InterruptedException {
    if (effect instanceof ServerFault.Effect.Hold hold) {
      hold.gate().awaitOpen();
    } else if (effect instanceof ServerFault.Effect.Delay delay) {
      Thread.sleep(delay.time().toMillis());
    }
  }

  private static void end(
      ServerFault.Effect effect, Request request, Response response, Callback callback) {
    if (effect instanceof ServerFault.Effect.Answer answer) {
      writeError(answer, response, callback);
    } else {
      EOFException cut = new EOFException("the connection was to be cut");
      request.getConnectionMetaData().getConnection().getEndPoint().close(cut);
      callback.failed(cut);
    }
  }

  private static void writeError(
      ServerFault.Effect.Answer answer, Response response, Callback callback) {
    String xml =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>%s</Code><Message>injected</Message></Error>"
            .formatted(answer.code());
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/xml");
    response.write(true, ByteBuffer.wrap(xml.getBytes(StandardCharsets.UTF_8)), callback);
  }

  private static RecordedRequest parse(Request request) {
    HttpURI uri = request.getHttpURI();
    String path = uri.getPath().substring(1);
    int slash = path.indexOf('/');
    String bucket = slash < 0 ? path : path.substring(0, slash);
    String key = slash < 0 ? "" : decode(path.substring(slash + 1).replace("+", "%2B"));
    Map<String, String> query = parseQuery(uri.getQuery() == null ? "" : uri.getQuery());
    Map<String, String> headers = new HashMap<>();
    for (HttpField field : request.getHeaders()) {
      String value = field.getValue() == null ? "" : field.getValue();
      headers.putIfAbsent(field.getName().toLowerCase(Locale.ROOT), value);
    }
    S3Operation operation = S3Operation.of(request.getMethod(), !key.isEmpty(), query);
    return new RecordedRequest(operation, decode(bucket), key, query, headers);
  }

  private static Map<String, String> parseQuery(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      if (!name.isEmpty()) {
        parameters.putIfAbsent(decode(name), decode(value));
      }
    }
    return parameters;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Takes the answer that is to be lost, so that nothing of it reaches the real one. */
  private static final class DiscardedResponse extends Response.Wrapper {
    private final HttpFields.Mutable headers = HttpFields.build();
    private int status = 200;
    private boolean finished;

    DiscardedResponse(Request request, Response wrapped) {
      super(request, wrapped);
    }

    @Override
    public int getStatus() {
      return status;
    }

    @Override
    public void setStatus(int code) {
      status = code;
    }

    @Override
    public HttpFields.Mutable getHeaders() {
      return headers;
    }

    @Override
    public boolean isCommitted() {
      return finished;
    }

    @Override
    public boolean hasLastWrite() {
      return finished;
    }

    @Override
    public boolean isCompletedSuccessfully() {
      return finished;
    }

    @Override
    public void reset() {
      headers.clear();
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
      finished |= last;
      if (content != null) {
        content.position(content.limit());
      }
      callback.succeeded();
    }
  }

  /** Sends the ETag as a weak one. */
  private static final class WeakETagResponse extends Response.Wrapper {
    WeakETagResponse(Request request, Response wrapped) {
      super(request, wrapped);
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
      String etag = getHeaders().get(HttpHeader.ETAG);
      if (etag != null && !isCommitted() && !etag.startsWith("W/")) {
        getHeaders().put(HttpHeader.ETAG, "W/" + etag);
      }
      super.write(last, content, callback);
    }
  }

  /** Waits before the first byte of the answer is sent; by then the request is applied. */
  private static final class LateResponse extends Response.Wrapper {
    private final ServerFault.Effect effect;
    private boolean waited;

    LateResponse(Request request, Response wrapped, ServerFault.Effect effect) {
      super(request, wrapped);
      this.effect = effect;
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
      if (!waited) {
        waited = true;
        try {
          await(effect);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          callback.failed(e);
          return;
        }
      }
      super.write(last, content, callback);
    }
  }
}
