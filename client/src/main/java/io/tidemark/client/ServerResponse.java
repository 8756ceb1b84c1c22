// SPDX-License-Identifier: Apache-2.0
package io.tidemark.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.objects.StoreUnavailableException;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.util.Optional;

/**
 * Response of a server, with its whole body.
 *
 * @param request the request that it answers
 * @param status of the answer
 * @param headers of the answer
 * @param bytes its body
 */
@SuppressWarnings("ArrayRecordComponent") // handed from one to the next, and never compared
public record ServerResponse(ServerRequest request, int status, HttpHeaders headers, byte[] bytes) {

  /** A payload may be nested as deep as its own parser allows, and lies some levels deeper here. */
  private static final int DEEPEST = 1100;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .build())
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  /** Returns whether it was done. */
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /** This, if it was done. */
  public ServerResponse orThrow() {
    if (isSuccess()) {
      return this;
    }
    throw failure();
  }

  /** Why it wasn't done, as the rooms have it. */
  public TidemarkException failure() {
    return ProblemDecoder.failure(this);
  }

  /** Returns the error code of a problem; empty when it isn't a problem of a Tidemark server. */
  public String code() {
    return ProblemDecoder.document(this).path("code").asText();
  }

  /**
   * Returns the document.
   *
   * @throws StoreUnavailableException when it is none, as from something that isn't Tidemark
   */
  public JsonNode json() {
    try {
      return JSON.readTree(bytes);
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "%s: the answer is no JSON; is this the address of a Tidemark server?".formatted(request),
          e);
    }
  }
}
