// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.api.features.CommitOutcomeUnknownException;
import io.tidemark.names.AlreadyExistsException;
import io.tidemark.names.ContentionException;
import io.tidemark.names.CorruptRecordException;
import io.tidemark.names.InvalidPayloadException;
import io.tidemark.names.NotFoundException;
import io.tidemark.names.RefusedException;
import io.tidemark.names.RetractedException;
import io.tidemark.names.config.InvalidConnectionException;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.OutcomeUnknownException;
import io.tidemark.objects.StorageFullException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import io.tidemark.objects.UnsupportedStoreException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Problem documents as the exceptions that they were on the server. Whatever isn't certain not to
 * have happened ends as an outcome unknown: what no Tidemark server writes, such as the error page
 * of something in between, and a server's own bug.
 */
final class ProblemDecoder {

  private static final JsonMapper JSON = new JsonMapper();

  private static final Map<String, Function<String, TidemarkException>> BY_CODE =
      Map.ofEntries(
          Map.entry("already-exists", AlreadyExistsException::new),
          Map.entry("contention", ContentionException::new),
          Map.entry("corrupt", CorruptRecordException::new),
          Map.entry("invalid-connection", InvalidConnectionException::new),
          Map.entry("invalid-location", InvalidLocationException::new),
          Map.entry("invalid-payload", ProblemDecoder::invalidPayload),
          Map.entry("not-found", NotFoundException::new),
          Map.entry("refused", RefusedException::new),
          Map.entry("retracted", RetractedException::new),
          Map.entry("access-denied", StoreAccessException::new),
          Map.entry("outcome-unknown", OutcomeUnknownException::new),
          Map.entry("storage-failure", StoreFailureException::new),
          Map.entry("storage-full", StorageFullException::new),
          Map.entry("unavailable", StoreUnavailableException::new),
          // What left here as a request didn't arrive as one.
          Map.entry("bad-message", StoreUnavailableException::new),
          Map.entry("broken-off", StoreUnavailableException::new),
          Map.entry("unsupported-store", UnsupportedStoreException::new));

  private ProblemDecoder() {}

  /**
   * Returns the error for a refused payload. Payloads are checked before they are sent, so a server
   * that refuses one has other rules.
   */
  private static TidemarkException invalidPayload(String detail) {
    return new InvalidPayloadException(
        detail
            + "; the server may be of an earlier version than this client, compare them with"
            + " 'tidemark doctor --server'");
  }

  static TidemarkException failure(ServerResponse serverResponse) {
    JsonNode document = document(serverResponse);
    return failure(serverResponse.request(), serverResponse.status(), document);
  }

  /** Of a problem that is told in the middle of an answer. */
  static TidemarkException failure(ServerRequest serverRequest, JsonNode document) {
    return failure(serverRequest, document.path("status").asInt(), document);
  }

  private static TidemarkException failure(
      ServerRequest serverRequest, int status, JsonNode document) {
    String code = document.path("code").asText();
    String detail = document.path("detail").asText();
    JsonNode transaction = document.path("transaction");
    JsonNode began = document.path("began");
    if (code.equals("outcome-unknown") && transaction.isTextual() && began.isTextual()) {
      return new CommitOutcomeUnknownException(
          detail, transaction.textValue(), began.textValue(), null);
    }
    Function<String, TidemarkException> known = BY_CODE.get(code);
    if (known != null) {
      return known.apply(detail);
    }
    Optional<ErrorCode> other =
        ErrorCode.of(code).filter(each -> certainlyHadNoEffect(serverRequest, each));
    if (other.isPresent()) {
      return new ServerProblemException(status, code, detail);
    }
    String said = detail.isEmpty() ? notFromTidemark(serverRequest, status) : detail;
    if (status == 401) {
      return new StoreAccessException(
          said + "; a command takes the token from --token-file or TIDEMARK_TOKEN");
    }
    boolean written = !code.isEmpty(); // by a Tidemark server, which knows what it has done
    if (status == 403) {
      return written
          ? new StoreAccessException(said, new ServerProblemException(status, code, said))
          : new StoreAccessException(said);
    }
    if (status == 429 || (written && status == 503)) {
      return new StoreUnavailableException(said);
    }
    if (status >= 500 && !(written && status == 508)) { // which is passed on no further
      return serverRequest.isReadOnly()
          ? new StoreUnavailableException(said)
          : new OutcomeUnknownException(
              said + "; it may have been done: look before doing it again");
    }
    return new ServerProblemException(status, written ? code : "unexpected-answer", said);
  }

  /** Returns whether a server that says so has certainly done nothing, and would say so again. */
  private static boolean certainlyHadNoEffect(ServerRequest serverRequest, ErrorCode code) {
    return switch (code.kind()) {
      case UNAVAILABLE, OUTCOME_UNKNOWN -> false;
      case STORAGE_FAILURE, FAILED -> serverRequest.isReadOnly();
      default -> true;
    };
  }

  /** Returns the problem; a missing node when the answer is none. */
  static JsonNode document(ServerResponse serverResponse) {
    if (serverResponse.header("Content-Type").filter(ProblemDecoder::isProblem).isEmpty()) {
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(serverResponse.bytes());
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  private static boolean isProblem(String type) {
    return type.startsWith("application/problem+json");
  }

  private static String notFromTidemark(ServerRequest serverRequest, int status) {
    return "%s was answered with %d by what seems to be no Tidemark server; check its address"
        .formatted(serverRequest, status);
  }
}
