// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.names.Migrated;
import io.tidemark.names.MigrationMode;
import io.tidemark.names.view.MigratedJson;
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
final class Migration extends AbstractSpliterator<Migrated> {

  private static final JsonMapper JSON = new JsonMapper();

  private final StreamedAnswer answer;
  private final BufferedReader lines;
  private boolean ended;

  private Migration(StreamedAnswer answer) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.answer = answer;
    this.lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  static Stream<Migrated> run(Connection connection, MigrationMode mode) {
    Request request =
        Request.of("POST", "v1", "migrate")
            .query("apply", String.valueOf(mode == MigrationMode.APPLY));
    StreamedAnswer answer = connection.open(request);
    if (!answer.isSuccess()) {
      throw answer.whole().failure();
    }
    Migration migration = new Migration(answer);
    return StreamSupport.stream(migration, false).onClose(migration::close);
  }

  @Override
  public boolean tryAdvance(Consumer<? super Migrated> action) {
    if (ended) {
      return false;
    }
    JsonNode line = read();
    if (!line.has("end")) {
      action.accept(MigratedJson.read(line));
      return true;
    }
    ended = true;
    if (line.has("problem")) {
      throw Problems.failure(answer.request(), line.path("problem"));
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
      throw Failures.brokenOff(answer.request(), e);
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
