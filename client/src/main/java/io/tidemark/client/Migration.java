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
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The report of a migration that a server makes, a line at a time as it comes. */
final class Migration implements Iterator<Migrated> {

  private static final JsonMapper JSON = new JsonMapper();

  private final StreamedAnswer answer;
  private final BufferedReader lines;
  private @Nullable Migrated next;
  private boolean ended;

  private Migration(StreamedAnswer answer) {
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
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                migration, Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(migration::close);
  }

  @Override
  public boolean hasNext() {
    while (next == null && !ended) {
      read();
    }
    return next != null;
  }

  @Override
  public Migrated next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    Migrated line = next;
    next = null;
    return line;
  }

  private void read() {
    JsonNode line;
    try {
      String text = lines.readLine();
      if (text == null) {
        throw new IOException("the report broke off");
      }
      line = JSON.readTree(text);
    } catch (IOException e) {
      throw Failures.brokenOff(answer.request(), e);
    }
    if (!line.has("end")) {
      next = MigratedJson.read(line);
      return;
    }
    ended = true;
    if (line.has("problem")) {
      throw Problems.failure(answer.request(), line.path("problem"));
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
