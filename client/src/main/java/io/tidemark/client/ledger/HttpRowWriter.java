// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.ledger.CommitRequest;
import io.tidemark.api.ledger.CommitResult;
import io.tidemark.api.ledger.CommitSummary;
import io.tidemark.api.ledger.ImportReport;
import io.tidemark.api.ledger.ImportRequest;
import io.tidemark.api.ledger.UnexpectedHeadException;
import io.tidemark.client.ServerRequest;
import io.tidemark.client.ServerResponse;
import java.util.Map;
import java.util.Optional;

/** Commits and imports of rows on a server, each one request whose body is the rows. */
record HttpRowWriter(HttpLedgerContext server) {

  private static final int CREATED = 201;

  /** A conditional commit whose answer was lost wasn't made if the head is the expected one. */
  CommitResult commit(CommitRequest request) {
    ServerRequest post =
        described(server.request("POST", "commits"), request.message(), request.metadata())
            .query("maxRows", Long.toString(request.maxRows().orElse(Integer.MAX_VALUE)));
    if (request.type().isPresent()) {
      post = post.query("type", request.type().get());
    }
    if (request.expected().isPresent()) {
      post = post.query("expected", Long.toString(request.expected().getAsLong()));
    }
    try (RowUpload upload = RowUpload.open(request.rows(), request.schema())) {
      return committed(
          upload.send(
              server.connection(),
              server.writes(),
              post,
              () ->
                  request.expected().isPresent()
                      && server.head() == request.expected().getAsLong()));
    }
  }

  private static ServerRequest described(
      ServerRequest plain, Optional<String> message, Map<String, String> metadata) {
    ServerRequest serverRequest = plain;
    if (message.isPresent()) {
      serverRequest = serverRequest.query("message", message.get());
    }
    for (Map.Entry<String, String> each : metadata.entrySet()) {
      serverRequest = serverRequest.query("meta", each.getKey() + "=" + each.getValue());
    }
    return serverRequest;
  }

  private static CommitResult committed(ServerResponse serverResponse) {
    if (serverResponse.code().equals("head-mismatch") && serverResponse.json().has("expected")) {
      JsonNode problem = serverResponse.json();
      throw new UnexpectedHeadException(
          problem.path("expected").asLong(), problem.path("actual").asLong());
    }
    JsonNode document = serverResponse.orThrow().json();
    return new CommitResult(
        serverResponse.status() == CREATED
            ? Optional.of(WireJson.read(document, CommitSummary.class))
            : Optional.empty(),
        HttpLedgerContext.head(serverResponse));
  }

  ImportReport load(ImportRequest request) {
    ServerRequest post =
        described(server.request("POST", "import"), request.message(), request.metadata());
    if (request.apply()) {
      post = post.query("apply", "true");
    }
    if (request.onConflict().isPresent()) {
      post = post.query("onConflict", request.onConflict().get());
    }
    if (request.precondition().isPresent()) {
      post = post.query("precondition", request.precondition().get());
    }
    if (request.batch().isPresent()) {
      post = post.query("batch", Long.toString(request.batch().getAsLong()));
    }
    try (RowUpload upload = RowUpload.open(request.rows(), request.schema())) {
      ServerResponse serverResponse =
          upload.send(server.connection(), server.writes(), post, () -> !request.apply());
      return WireJson.read(
          serverResponse.code().equals("import-conflict")
              ? serverResponse.json().path("report")
              : serverResponse.orThrow().json(),
          ImportReport.class);
    }
  }
}
