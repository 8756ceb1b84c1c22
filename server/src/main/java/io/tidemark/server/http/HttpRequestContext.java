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

/** A request to one route, from a caller who may make it. */
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
   * How the body is read.
   *
   * @param body as far as it has come
   * @param json reads documents within the limits
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

  /** Names this request in answers and logs. */
  public String id() {
    return id;
  }

  public Caller caller() {
    return revalidatingCaller.caller();
  }

  /** The caller, for answers that last. */
  public RevalidatingCaller revalidatingCaller() {
    return revalidatingCaller;
  }

  public Limits limits() {
    return bodySource.limits;
  }

  /** A step of the path. */
  public String path(String parameter) {
    String value = parameters.get(parameter);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + parameter + "}");
    }
    return value;
  }

  /** A parameter of the query; of several of that name, which only a list may be, the first. */
  public Optional<String> query(String name) {
    return Optional.ofNullable(query.getValue(name));
  }

  /** All parameters of that name. */
  public List<String> queries(String name) {
    return query.getValuesOrEmpty(name);
  }

  /** Returns whether a parameter is given, and not as {@code false}. */
  public boolean flag(String name) {
    Optional<String> value = query(name);
    if (value.isPresent() && !List.of("", "true", "false").contains(value.get())) {
      throw invalid("the parameter " + name + " is true or false, unlike \"" + value.get() + "\"");
    }
    return value.filter(text -> !text.equals("false")).isPresent();
  }

  /** A parameter that is a whole number, within bounds. */
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
      // is told below
    }
    throw invalid(
        "the parameter %s is a whole number from %d to %d, unlike \"%s\""
            .formatted(name, least, greatest, text.get()));
  }

  /** How many things to list: {@code limit}, at most a page. */
  public int pageSize() {
    return number("limit", 1, limits().pageSize()).map(Long::intValue).orElse(100);
  }

  /** Returns whether only the head of the answer is wanted. */
  public boolean isHead() {
    return request.getMethod().equals("HEAD");
  }

  String method() {
    return request.getMethod();
  }

  /** The path, as it came. */
  String target() {
    return String.valueOf(request.getHttpURI().getPath());
  }

  /** What is behind the path, as it came. */
  String queryText() {
    String text = request.getHttpURI().getQuery();
    return text == null ? "" : text;
  }

  /** The body, which can be read again after this. */
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
   * Has something told when the caller goes away while the request is worked on, as far as that can
   * be noticed, until what it gives is closed. From now on the body can't be read.
   *
   * @param gone is called by another thread, and must not wait
   */
  public AutoCloseable onDisconnect(Runnable gone) {
    Optional<DisconnectDetector> departure = DisconnectDetector.watch(request, gone);
    return () -> departure.ifPresent(DisconnectDetector::close);
  }

  /** By which the caller tells this request from others, if it does. */
  public Optional<String> idempotencyKey() {
    return header(Idempotency.KEY).map(Idempotency::valid);
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(request.getHeaders().get(name));
  }

  /**
   * The media type among some that the caller likes best, by {@code Accept}.
   *
   * @param types the ones there are; of equally liked ones the first counts
   * @return empty if the caller names none of them, also by a wildcard
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

  /** Returns whether the whole body has come, so that nobody waits for the caller any more. */
  boolean isBodyComplete() {
    return bodySource.body.isComplete();
  }

  /** How many bytes the body has, as the client says; negative when it doesn't. */
  public long length() {
    return request.getLength();
  }

  /** The body as it comes; for what has no limit. */
  public InputStream stream() {
    return observed.orElseGet(bodySource.body::stream);
  }

  /** Has the body read through a stream that observes it. */
  void observeBody(InputStream body) {
    observed = Optional.of(body);
  }

  /** The body as bytes, up to the limit of a document. */
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

  /** The body as a JSON object, all of whose texts are Unicode. */
  public ObjectNode body() throws IOException {
    ObjectNode body = lenientBody();
    requireUnicode(body, "the body");
    return body;
  }

  /** Refuses a document with half of a surrogate pair in it. */
  public static void requireUnicode(JsonNode json, String what) {
    if (!UnicodeText.isWellFormed(json)) {
      throw invalid(what + " has " + UnicodeText.PROBLEM);
    }
  }

  /**
   * The body as a JSON object whose texts may have half of a surrogate pair, for routes that
   * compare it with what earlier programs stored.
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
   * A number such as 1e999999999 is short to write, and fills the memory when it is written out.
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

  /** The body as a JSON object, an empty one if there is no body. */
  public ObjectNode optionalBody() throws IOException {
    return bytes().length == 0 ? json().createObjectNode() : body();
  }

  /**
   * Reads the body into a record, whose components in snake case are its members. All that the
   * description says of the body is true of it then: a component of a required member is never
   * missing. Of other members a {@link List} or {@link Map} is empty when the member is left out or
   * null, an {@link Optional} too, a {@code boolean} false, and any other component null, such as a
   * {@link JsonNode}. A list takes one value alone, where the description allows that.
   *
   * @throws ProblemException if the body isn't as the description says, or the record refuses it by
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

  /** A member of a body that has to be text. */
  public static String text(JsonNode body, String member) {
    JsonNode value = body.path(member);
    if (!value.isTextual()) {
      throw invalid("the body needs \"" + member + "\", a text");
    }
    return value.textValue();
  }

  /** A member of a body that is a whole number within bounds; empty when there is none. */
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

  /** Reads JSON within the limits. */
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

  /** Ends a request that can't be meant. */
  public static ProblemException invalid(String detail) {
    return new ProblemException(Problem.of(400, "invalid-request", detail));
  }
}
