// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.InvalidLocationException;
import io.tidemark.objects.StoreUnavailableException;
import org.junit.jupiter.api.Test;

final class ProblemTest {

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
