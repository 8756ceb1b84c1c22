// SPDX-License-Identifier: Apache-2.0
package io.tidemark.api.remotes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.WireJson;
import io.tidemark.names.Ref;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Holds the JSON of each outcome, and that it is read back. */
class TransferResultTest {

  private static final String PAIR = "{\"local\":\"a:main\",\"remote\":\"r\",\"there\":\"b:main\",";
  private static final String HEADS =
      "\"local_head\":{\"id\":\"c1\",\"t\":1},\"remote_head\":{\"id\":\"c2\",\"t\":2}";
  private static final Ref C1 = Ref.of("c1", 1);
  private static final Ref C2 = Ref.of("c2", 2);

  private static Map<TransferResult, String> documents() {
    Map<TransferResult, String> all = new LinkedHashMap<>();
    all.put(
        new TransferResult.UpToDate("a:main", "r", "b:main", C1, C2),
        PAIR + "\"outcome\":\"up_to_date\"," + HEADS + "}");
    all.put(
        new TransferResult.FastForwarded("a:main", "r", "b:main", Ref.UNBORN, C2, 3, 4),
        PAIR
            + "\"outcome\":\"fast_forwarded\",\"from\":{\"id\":null,\"t\":0},"
            + "\"to\":{\"id\":\"c2\",\"t\":2},\"commits\":3,\"bytes\":4}");
    all.put(
        new TransferResult.Created("a:main", "r", "b:main", C2, 3, 4),
        PAIR + "\"outcome\":\"created\",\"to\":{\"id\":\"c2\",\"t\":2},\"commits\":3,\"bytes\":4}");
    all.put(
        new TransferResult.Diverged("a:main", "r", "b:main", C1, C2, Optional.of(C1)),
        PAIR + "\"outcome\":\"diverged\"," + HEADS + ",\"common\":{\"id\":\"c1\",\"t\":1}}");
    all.put(
        new TransferResult.Diverged("a:main", "r", "b:main", C1, C2, Optional.empty()),
        PAIR + "\"outcome\":\"diverged\"," + HEADS + ",\"common\":null}");
    all.put(
        new TransferResult.Rejected("a:main", "r", "b:main", C1, C2),
        PAIR + "\"outcome\":\"rejected\"," + HEADS + "}");
    all.put(
        new TransferResult.NoUpstream("a:main"),
        "{\"local\":\"a:main\",\"outcome\":\"no_upstream\"}");
    all.put(
        new TransferResult.NotFound("a:main", "r", "b:main", "b:main", "/there"),
        PAIR + "\"outcome\":\"not_found\",\"address\":\"b:main\",\"location\":\"/there\"}");
    return all;
  }

  @Test
  void everyOutcomeHasItsDocument() {
    documents()
        .forEach(
            (result, document) -> {
              assertThat(WireJson.text(result)).isEqualTo(document);
              assertThat(WireJson.read(WireJson.parse(document), TransferResult.class))
                  .isEqualTo(result);
            });
  }
}
