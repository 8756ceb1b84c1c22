// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.ServerProblemException;
import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.StoreUnavailableException;
import org.junit.jupiter.api.Test;

final class ProblemTest {

  /** What is told in the middle of an answer may have none, or one that is no problem's. */
  @Test
  void theStatusOfAnotherServersProblemIsThatOfAProblem() {
    assertThat(Problem.of(new ServerProblemException(422, "x", "")).status()).isEqualTo(422);
    for (int none : new int[] {0, 200, 307}) {
      assertThat(Problem.of(new ServerProblemException(none, "x", "")).status()).isEqualTo(500);
    }
  }

  @Test
  void aProblemTellsNoPasswordOfALocation() {
    assertThat(
            Problem.of(
                    new StoreUnavailableException(
                        "can't reach jdbc:postgresql://me:hunter2@host/db?password=hunter2&ssl=on"))
                .detail())
        .isEqualTo("can't reach jdbc:postgresql://me:[hidden]@host/db?password=[hidden]&ssl=on");
    assertThat(Problem.of(new InvalidLocationException("approve it with token=abc")).detail())
        .isEqualTo("approve it with token=abc");
  }
}
