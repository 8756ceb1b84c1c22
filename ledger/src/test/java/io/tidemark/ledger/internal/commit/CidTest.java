// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CidTest {

  /** Put together independently: base32 of 01 80 04 12 20 and the SHA-256. */
  @Test
  void isAVersion1IdOfJsonByItsSha256() {
    assertThat(Cid.ofJson("{}".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("bagaaieraiqjw7i2vwntyuekgvulpp2det2kpwt6cd7tx5ayqybqpmhfk76fa");
    assertThat(Cid.ofJson("{\"a\":1}".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("bagaaieraafnl2724yv5c3wklowipaswybbbhhec64m7mltv6vzrco2ux7bra");
  }
}
