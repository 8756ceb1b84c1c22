// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.names.Address;
import io.tidemark.names.Concern;
import io.tidemark.names.ConcernChange;
import io.tidemark.names.ConcernValue;
import io.tidemark.names.NameBackend.Applied;
import io.tidemark.names.NameOptions;
import io.tidemark.names.NameService;
import io.tidemark.names.Payload;
import io.tidemark.objects.MonotonicTime;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.Retry;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** What a server can answer besides what was asked for. */
class DynamoDbErrorTranslatorTest {

  private static final Address MYDB = Address.parse("mydb");
  private static final ConcernValue NEXT =
      ConcernValue.of(1, Payload.parse("{\"id\":\"c1\",\"t\":1}"));
  private static final ConcernChange PUSH =
      new ConcernChange.Push(Concern.HEAD, ConcernValue.UNBORN, NEXT);

  private record Canned(int status, String body) {}

  private final Deque<Canned> answers = new ArrayDeque<>();
  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;
  private DynamoDbNameBackend backend;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    backend = backend(settings(endpoint()));
  }

  private URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static DynamoDbSettings settings(URI endpoint) {
    return DynamoDbSettings.of("some-table")
        .with()
        .endpoint(endpoint)
        .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
        .build();
  }

  /** Tries again a few times, however long that takes. */
  private static DynamoDbNameBackend backend(DynamoDbSettings settings) {
    Retry retry =
        new Retry(
                Duration.ofMinutes(1),
                Duration.ofMillis(1),
                Duration.ofMillis(20),
                MonotonicTime.system())
            .atMost(4);
    return new DynamoDbNameBackend(
        settings, DynamoDbClients.builder(settings).build(), retry, Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    backend.close();
    server.stop(0);
  }

  /** Answers as was said, the last answer again and again. */
  private void answer(HttpExchange exchange) throws IOException {
    Canned canned;
    synchronized (answers) {
      canned = answers.size() > 1 ? answers.remove() : answers.element();
    }
    requests.incrementAndGet();
    exchange.getRequestBody().readAllBytes();
    byte[] body = canned.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
    exchange.sendResponseHeaders(canned.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void error(int status, String type) {
    error(status, type, "");
  }

  private void error(int status, String type, String more) {
    answers.add(
        new Canned(
            status,
            "{\"__type\":\"com.amazonaws.dynamodb.v20120810#"
                + type
                + "\",\"message\":\"for a test\""
                + more
                + "}"));
  }

  /** The SDK's HTTP client ends a request so when its thread is interrupted at some moments. */
  @Test
  void aRequestThatAnInterruptCancelledIsNoBugOfTheProgram() {
    DynamoDbClient cancelled =
        (DynamoDbClient)
            Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (proxy, method, arguments) -> {
                  throw new CancellationException();
                });
    RequestSender sent =
        new RequestSender(cancelled, settings(endpoint()), TableRole.SET_UP, Retry.standard());
    assertThatThrownBy(() -> sent.read("read mydb:main", client -> client.getItem(r -> {})))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("can't read mydb:main: the thread was interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(sent.update("write mydb:main", UpdateItemRequest.builder().build()))
        .isInstanceOfSatisfying(
            WriteOutcome.Unknown.class,
            unknown ->
                assertThat(unknown.failure()).hasMessageContaining("the thread was interrupted"));
    assertThat(Thread.interrupted()).as("the flag is there for the caller").isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
        "TransactionConflictException"
      })
  void aWriteThatIsThrottledIsTriedAgain(String type) {
    error(400, type);
    error(400, type);
    answers.add(new Canned(200, "{}"));

    assertThat(backend.change(MYDB, PUSH)).isEqualTo(new Applied(NEXT));
    assertThat(requests).hasValue(3);
  }

  @Test
  void whatIsAlwaysThrottledIsUnavailableAndNotUnknown() {
    error(400, "ProvisionedThroughputExceededException");

    assertThatThrownBy(() -> backend.change(MYDB, PUSH))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("mydb:main");
    assertThatThrownBy(() -> backend.find(MYDB)).isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void anErrorOfTheServerLeavesAWriteUnknownAndAReadUnavailable() {
    error(500, "InternalServerError");

    assertThatThrownBy(() -> backend.change(MYDB, PUSH))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("mydb:main");
    assertThatThrownBy(() -> backend.find(MYDB)).isInstanceOf(StoreUnavailableException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"AccessDeniedException", "UnrecognizedClientException", "ExpiredTokenException"})
  void deniedAccessIsSaidAtOnce(String type) {
    error(400, type);

    assertThatThrownBy(() -> backend.change(MYDB, PUSH))
        .isInstanceOf(StoreAccessException.class)
        .hasMessageContaining("some-table")
        .hasMessageContaining("credentials");
    assertThat(requests).hasValue(1);
  }

  @Test
  void deniedAccessSaysWhatIsNeeded() {
    error(400, "AccessDeniedException");

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> backend.find(MYDB),
            () -> backend.list("", "").toList(),
            () ->
                new NameService(backend, NameOptions.standard().withoutNotifications())
                    .create(MYDB))) {
      assertThatThrownBy(call)
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining("some-table")
          .hasMessageContaining("DeleteItem")
          .hasMessageContaining("ConditionCheckItem");
    }
  }

  @Test
  void deniedAccessToASetUpSaysWhatThatNeeds() {
    error(400, "AccessDeniedException");

    assertThatThrownBy(() -> backend.ensureTable())
        .isInstanceOf(StoreAccessException.class)
        .hasMessageContaining("some-table")
        .hasMessageContaining("dynamodb:CreateTable and DescribeTable")
        .hasMessageNotContaining("UpdateItem");
  }

  @Test
  void anOlderTableNeedsToBeReadOnly() {
    answers.add(new Canned(200, "{\"Items\":[]}"));
    error(400, "AccessDeniedException");
    DynamoDbSettings migrating = settings(endpoint()).withMigrateFrom(Optional.of("old-table"));

    try (DynamoDbNameBackend behind = backend(migrating)) {
      assertThatThrownBy(() -> behind.find(MYDB))
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining("old-table")
          .hasMessageContaining("allow dynamodb:DescribeTable, GetItem and Scan on")
          .hasMessageNotContaining("UpdateItem");
    }
  }

  /** A server that can't verify a signature says what should have been signed. */
  @Test
  void aSessionTokenIsNeverRepeated() {
    answers.add(
        new Canned(
            400,
            "{\"__type\":\"com.amazon.coral.service#InvalidSignatureException\",\"message\":"
                + "\"The signature does not match.\\n\\nThe Canonical String should have been\\n"
                + "'POST\\nx-amz-security-token:tok3n'\"}"));

    assertThatThrownBy(() -> backend.find(MYDB))
        .isInstanceOf(StoreAccessException.class)
        .hasMessageContaining("The signature does not match.")
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("tok3n"));
  }

  private static String stackTrace(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void aTransactionThatMetAnotherIsTriedAgain() {
    error(400, "TransactionCanceledException", cancelled("None", "TransactionConflict"));
    error(400, "TransactionCanceledException", cancelled("ThrottlingError", "None"));
    answers.add(new Canned(200, "{}"));

    new NameService(backend, NameOptions.standard().withoutNotifications()).create(MYDB);

    assertThat(requests).hasValue(3);
  }

  @Test
  void aTransactionThatIsWrongIsNotTakenForARecordThatExists_names5_9() {
    error(400, "TransactionCanceledException", cancelled("ValidationError", "None"));

    assertThatThrownBy(
            () ->
                new NameService(backend, NameOptions.standard().withoutNotifications())
                    .create(MYDB))
        .isInstanceOf(StoreFailureException.class)
        .hasMessageContaining("ValidationError");
    assertThat(requests).hasValue(1);
  }

  @Test
  void whatIsLeftUnreadIsAskedForAgainAndThenAnError() {
    String item =
        "{\"kind\":{\"S\":\"ledger\"},\"pk\":{\"S\":\"mydb:main\"},\"sk\":{\"S\":\"meta\"}}";
    answers.add(new Canned(200, "{\"Items\":[" + item + "]}"));
    answers.add(new Canned(200, "{\"Items\":[]}"));
    answers.add(
        new Canned(
            200,
            "{\"Responses\":{},\"UnprocessedKeys\":{\"some-table\":{\"Keys\":["
                + "{\"pk\":{\"S\":\"mydb:main\"},\"sk\":{\"S\":\"meta\"}}]}}}"));

    assertThatThrownBy(() -> backend.list("", "").toList())
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("unread");
    assertThat(requests).as("two listings, a read, and the same again").hasValue(3 + 4);
  }

  @Test
  void aServerThatIsntThereIsUnavailable() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    try (DynamoDbNameBackend nowhere = backend(settings(URI.create("http://127.0.0.1:" + port)))) {
      assertThatThrownBy(() -> nowhere.change(MYDB, PUSH))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("can't be reached");
    }
  }

  private static String cancelled(String... codes) {
    StringBuilder reasons = new StringBuilder(",\"CancellationReasons\":[");
    for (String code : codes) {
      reasons.append(reasons.toString().endsWith("[") ? "" : ",");
      reasons.append("{\"Code\":\"").append(code).append("\",\"Message\":\"for a test\"}");
    }
    return reasons.append(']').toString();
  }
}
