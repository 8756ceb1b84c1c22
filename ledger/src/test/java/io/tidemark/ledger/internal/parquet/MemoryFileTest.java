// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.objects.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryFileTest {

  @Test
  void itsBytesAreThoseThatCameHoweverTheyCameAndAreRead() throws IOException {
    Random random = new Random(7);
    MemoryFile file = new MemoryFile();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int length : new int[] {4, 100_000, 0, 20_000, 1, 70, 16_384}) {
      byte[] piece = new byte[length];
      random.nextBytes(piece);
      file.keep(piece);
      expected.write(piece);
      file.write(piece, length / 2, length / 4);
      expected.write(piece, length / 2, length / 4);
      file.write(42);
      expected.write(42);
    }

    Body body = file.body();

    assertThat(body.length()).isEqualTo(expected.size());
    for (int attempt = 0; attempt < 2; attempt++) {
      try (InputStream in = body.open()) {
        assertThat(in.read()).isEqualTo(expected.toByteArray()[0] & 0xff);
        assertThat(in.readNBytes(999)).hasSize(999);
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        assertThat(in.transferTo(rest)).isEqualTo(expected.size() - 1_000);
        assertThat(rest.toByteArray())
            .isEqualTo(Arrays.copyOfRange(expected.toByteArray(), 1_000, expected.size()));
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.available()).isZero();
      }
      try (InputStream in = body.open()) {
        assertThat(in.readAllBytes()).isEqualTo(expected.toByteArray());
      }
    }
  }

  @Test
  void anEmptyOneHasNoBytes() throws IOException {
    Body body = new MemoryFile().body();

    assertThat(body.length()).isZero();
    assertThat(body.open().readAllBytes()).isEmpty();
  }
}
