// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.tidemark.names.UnicodeText;
import io.tidemark.objects.JsonErrors;
import io.tidemark.objects.TidemarkException;
import io.tidemark.server.access.Caller;
import io.tidemark.server.problem.Problem;
import io.tidemark.server.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** Request to one route, by an authorized caller. */
public final class HttpRequestContext {

  private final Request request;
  private final Map<String, String> parameters;
  private final RequestSchema shape;
  private final Fields query;
  private final RevalidatingCaller revalidatingCaller;
  private final BodySource bodySource;
  private final String id;
  private Optional<InputStream> observed = Optional.empty();

  /**
   * Source of the body.
   *
   * @param body the part of the body that has arrived
   * @param json mapper that enforces the limits
   */
  record BodySource(BufferedRequestBody body, JsonMapper json, Limits limits) {}

  HttpRequestContext(
      Request request,
      Routes.Match match,
      Fields query,
      RevalidatingCaller revalidatingCaller,
      BodySource bodySource,
      String id) {
    this.request = request;
    this.parameters = match.parameters();
    this.shape = match.shape();
    this.query = query;
    this.revalidatingCaller = revalidatingCaller;
    this.bodySource = bodySource;
    this.id = id;
  }

  /** Returns the id of this request in answers and logs. */
  public String id() {
    return id;
  }

  public Caller caller() {
    return revalidatingCaller.caller();
  }

  /** Returns the caller, with the means to check its access again during a long answer. */
  public RevalidatingCaller revalidatingCaller() {
    return revalidatingCaller;
  }

  public Limits limits() {
    return bodySource.limits;
  }

  /** Returns a path parameter. */
  public String path(String parameter) {
    String value = parameters.get(parameter);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + parameter + "}");
    }
    return value;
  }

  /** Returns a query parameter, or the first value of a parameter that is a list. */
  public Optional<String> query(String name) {
    return Optional.ofNullable(query.getValue(name));
  }

  /** Returns all values of a query parameter. */
  public List<String> queries(String name) {
    return query.getValuesOrEmpty(name);
  }

  /** Returns whether a parameter is given and isn't {@code false}. */
  public boolean flag(String name) {
    Optional<String> value = query(name);
    if (value.isPresent() && !List.of("", "true", "false").contains(value.get())) {
      throw invalid("the parameter " + name + " is true or false, unlike \"" + value.get() + "\"");
    }
    return value.filter(text -> !text.equals("false")).isPresent();
  }

  /** Returns a parameter that is a whole number within bounds. */
  public Optional<Long> number(String name, long least, long greatest) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      long value = Long.parseLong(text.get());
      if (value >= least && value <= greatest) {
        return Optional.of(value);
      }
    } catch (NumberFormatException e) {
      // falls through to the problem below
    }
    throw invalid(
        "the parameter %s is a whole number from %d to %d, unlike \"%s\""
            .formatted(name, least, greatest, text.get()));
  }

  /** Returns the maximum number of items to list: {@code limit}, or 100 if it isn't given. */
  public int pageSize() {
    return number("limit", 1, limits().pageSize()).map(Long::intValue).orElse(100);
  }

  /** Returns whether the method is {@code HEAD}. */
  public boolean isHead() {
    return request.getMethod().equals("HEAD");
  }

  String method() {
    return request.getMethod();
  }

  /** Returns the path, still encoded. */
  String target() {
    return String.valueOf(request.getHttpURI().getPath());
  }

  /** Returns the query string, still encoded. */
  String queryText() {
    String text = request.getHttpURI().getQuery();
    return text == null ? "" : text;
  }

  /** Buffers the whole body, so that it can be read again, and returns it. */
  byte[] bufferedBody() throws IOException {
    if (!bodySource.body.bufferUpTo(limits().bodyBytes())) {
      throw new ProblemException(
          Problem.of(
              413,
              "too-large",
              "with an Idempotency-Key a body has at most %d bytes, since it is needed as a whole;"
                      .formatted(limits().bodyBytes())
                  + " send it without one"));
    }
    return bytes();
  }

  /**
   * Registers a callback for a disconnect of the client while the request is in progress, as far as
   * that can be detected. The registration lasts until the returned object is closed. From now on
   * the body can't be read.
   *
   * @param gone called on another thread; must not block
   */
  public AutoCloseable onDisconnect(Runnable gone) {
    Optional<DisconnectDetector> departure = DisconnectDetector.watch(request, gone);
    return () -> departure.ifPresent(DisconnectDetector::close);
  }

  /** Returns the idempotency key of the request, if it has one. */
  public Optional<String> idempotencyKey() {
    return header(Idempotency.KEY).map(Idempotency::valid);
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(request.getHeaders().get(name));
  }

  /**
   * Returns the media type that the caller prefers by {@code Accept}.
   *
   * @param types available types; of equally preferred ones the first wins
   * @return empty if the caller accepts none of them, not even by a wildcard
   */
  public Optional<String> preferredType(List<String> types) {
    for (String wanted : request.getHeaders().getQualityCSV(HttpHeader.ACCEPT)) {
      String plain = wanted.replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
      for (String type : types) {
        if (plain.equals(type)
            || plain.equals("*/*")
            || plain.equals(type.substring(0, type.indexOf('/')) + "/*")) {
          return Optional.of(type);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns whether the whole body has arrived, so that no thread has to wait for the client. */
  boolean isBodyComplete() {
    return bodySource.body.isComplete();
  }

  /** Returns the length of the body from {@code Content-Length}; negative if there is none. */
  public long length() {
    return request.getLength();
  }

  /** Returns the body as a stream, for routes without a limit on its length. */
  public InputStream stream() {
    return observed.orElseGet(bodySource.body::stream);
  }

  /** Replaces the stream of the body by one that observes it. */
  void observeBody(InputStream body) {
    observed = Optional.of(body);
  }

  /** Returns the body as bytes, up to the limit of a document. */
  public byte[] bytes() throws IOException {
    byte[] bytes = bodySource.body.readUpTo(limits().bodyBytes());
    if (bytes == null) {
      throw new ProblemException(
          Problem.of(
              413,
              "too-large",
              "the body has more than %d bytes; send less at a time"
                  .formatted(limits().bodyBytes())));
    }
    return bytes;
  }

  /** Returns the body as a JSON object in which all texts are valid Unicode. */
  public ObjectNode body() throws IOException {
    ObjectNode body = lenientBody();
    requireUnicode(body, "the body");
    return body;
  }

  /** Refuses a document that contains half of a surrogate pair. */
  public static void requireUnicode(JsonNode json, String what) {
    if (!UnicodeText.isWellFormed(json)) {
      throw invalid(what + " has " + UnicodeText.PROBLEM);
    }
  }

  /**
   * Returns the body as a JSON object whose texts may contain half of a surrogate pair, for routes
   * that compare it with documents of earlier versions.
   */
  public ObjectNode lenientBody() throws IOException {
    byte[] bytes = bytes();
    try {
      if (json().readTree(bytes) instanceof ObjectNode object) {
        rejectHugeNumbers(object);
        shape.body().requireKnownMembers(object);
        return object;
      }
    } catch (StreamConstraintsException e) {
      throw invalid("the body is JSON beyond the limits: " + JsonErrors.reason(e));
    } catch (JsonProcessingException e) {
      throw invalid("the body is no JSON: " + JsonErrors.reason(e));
    } catch (NumberFormatException | ArithmeticException e) {
      throw hugeNumber();
    }
    throw invalid("the body has to be a JSON object");
  }

  /**
   * Refuses a number such as 1e999999999, which is short to write but fills the memory when it is
   * expanded.
   */
  private void rejectHugeNumbers(JsonNode json) {
    if (json instanceof DecimalNode number) {
      BigDecimal value = number.decimalValue();
      if (Math.abs((long) value.precision() - value.scale()) > limits().json().numberLength()
          || value.scale() > limits().json().numberLength()) {
        throw hugeNumber();
      }
    } else if (json.isContainerNode()) {
      json.forEach(this::rejectHugeNumbers);
    }
  }

  private ProblemException hugeNumber() {
    return invalid(
        "the body is JSON beyond the limits: written out, a number has more than %d digits"
            .formatted(limits().json().numberLength()));
  }

  /** Returns the body as a JSON object, or an empty object if there is no body. */
  public ObjectNode optionalBody() throws IOException {
    return bytes().length == 0 ? json().createObjectNode() : body();
  }

  /**
   * Reads the body into a record, whose components in snake case are its members. The body is valid
   * by the description then: a component of a required member is never missing. A {@link List},
   * {@link Map} or {@link Optional} is empty if its member is missing or null. A {@code boolean} is
   * false then, and any other component null, such as a {@link JsonNode}. A list accepts a single
   * value where the description allows that.
   *
   * @throws ProblemException if the body doesn't match the description, or the record refuses it by
   *     an {@link IllegalArgumentException}
   */
  public <T> T body(Class<T> type) throws IOException {
    ObjectNode body = shape.needsBody() ? body() : optionalBody();
    shape.body().requireValid(body);
    try {
      return json().treeToValue(body, type);
    } catch (ValueInstantiationException e) {
      if (e.getCause() instanceof TidemarkException known) {
        throw known;
      }
      if (e.getCause() instanceof IllegalArgumentException) {
        throw invalid(String.valueOf(e.getCause().getMessage()));
      }
      throw e;
    }
  }

  /** Returns a member of a body that must be text. */
  public static String text(JsonNode body, String member) {
    JsonNode value = body.path(member);
    if (!value.isTextual()) {
      throw invalid("the body needs \"" + member + "\", a text");
    }
    return value.textValue();
  }

  /** Returns a member of a body that is a whole number within bounds; empty if there is none. */
  public static Optional<Long> number(JsonNode body, String member, long least, long greatest) {
    JsonNode value = body.path(member);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < least
        || value.longValue() > greatest) {
      throw invalid("\"%s\" is a whole number from %d to %d".formatted(member, least, greatest));
    }
    return Optional.of(value.longValue());
  }

  /** Returns the mapper that enforces the limits on JSON. */
  public JsonMapper json() {
    return bodySource.json;
  }

  static JsonMapper json(Limits limits) {
    Limits.Json json = limits.json();
    JsonSetter.Value empty = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);
    return JsonMapper.builder(
            JsonFactory.builder()
                .streamReadConstraints(
                    StreamReadConstraints.builder()
                        .maxNestingDepth(json.depth())
                        .maxTokenCount(json.tokens())
                        .maxNumberLength(json.numberLength())
                        .maxNameLength(json.nameLength())
                        .maxStringLength((int) Math.min(limits.bodyBytes(), Integer.MAX_VALUE))
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build())
        .addModule(new Jdk8Module())
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .withConfigOverride(List.class, list -> list.setSetterInfo(empty))
        .withConfigOverride(Map.class, map -> map.setSetterInfo(empty))
        .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES) // payloads stay as they are
        .build();
  }

  /** Returns the problem of an invalid request. */
  public static ProblemException invalid(String detail) {
    return new ProblemException(Problem.of(400, "invalid-request", detail));
  }
}
