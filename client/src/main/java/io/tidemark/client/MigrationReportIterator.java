// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.names.MigrationEntry;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.view.MigrationEntryJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Report of a migration that a server makes, a line at a time as it comes. */
final class MigrationReportIterator extends AbstractSpliterator<MigrationEntry> {

  private static final JsonMapper JSON = new JsonMapper();

  private final StreamedServerResponse answer;
  private final BufferedReader lines;
  private boolean ended;

  private MigrationReportIterator(StreamedServerResponse answer) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.answer = answer;
    this.lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  static Stream<MigrationEntry> run(ServerConnection serverConnection, MigrationMode mode) {
    ServerRequest serverRequest =
        ServerRequest.of("POST", "v1", "migrate")
            .query("apply", String.valueOf(mode == MigrationMode.APPLY));
    StreamedServerResponse answer = serverConnection.open(serverRequest);
    if (!answer.isSuccess()) {
      throw answer.readWhole().failure();
    }
    MigrationReportIterator migrationReportIterator = new MigrationReportIterator(answer);
    return StreamSupport.stream(migrationReportIterator, false)
        .onClose(migrationReportIterator::close);
  }

  @Override
  public boolean tryAdvance(Consumer<? super MigrationEntry> action) {
    if (ended) {
      return false;
    }
    JsonNode line = read();
    if (!line.has("end")) {
      action.accept(MigrationEntryJson.read(line));
      return true;
    }
    ended = true;
    if (line.has("problem")) {
      throw ProblemDecoder.failure(answer.request(), line.path("problem"));
    }
    return false;
  }

  private JsonNode read() {
    try {
      String text = lines.readLine();
      if (text == null) {
        throw new IOException("the report broke off");
      }
      return JSON.readTree(text);
    } catch (IOException e) {
      throw TransportFailures.incompleteResponse(answer.request(), e);
    }
  }

  private void close() {
    try {
      answer.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
