// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Reader of an answer that tells the progress of long work in lines, the last of them its end. */
public final class ProgressStreamReader {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String LINES = "application/x-ndjson";

  private ProgressStreamReader() {}

  /**
   * Sends a request and returns the document that its work ended with.
   *
   * @param each told of every line before the end
   */
  public static JsonNode follow(
      ServerConnection serverConnection, ServerRequest plain, Consumer<JsonNode> each) {
    ServerRequest serverRequest = plain.header("Accept", LINES);
    try (StreamedServerResponse answer = serverConnection.open(serverRequest)) {
      if (!answer.isSuccess()) {
        throw answer.readWhole().failure();
      }
      return end(answer, each);
    } catch (IOException e) {
      throw TransportFailures.incompleteResponse(serverRequest, e);
    }
  }

  private static JsonNode end(StreamedServerResponse answer, Consumer<JsonNode> each)
      throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    for (String text = lines.readLine(); text != null; text = lines.readLine()) {
      JsonNode line = JSON.readTree(text);
      if (line.has("problem")) {
        throw ProblemDecoder.failure(answer.request(), line.path("problem"));
      }
      if (line.has("end")) {
        return line.path("end");
      }
      each.accept(line);
    }
    throw new IOException("the answer broke off");
  }
}
