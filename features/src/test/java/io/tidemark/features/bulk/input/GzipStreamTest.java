// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of unpacking gzip. */
final class GzipStreamTest {

  private static byte[] zipped(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }

  /**
   * Returns bytes that arrive a few at a time, of which none seems to be there before it is read.
   */
  private static InputStream arriving(byte[] bytes, int step) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(length, step));
      }

      @Override
      public synchronized int available() {
        return 0;
      }
    };
  }

  private static byte[] unpacked(InputStream packed) throws IOException {
    try (InputStream in = new GzipStream(packed)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 4096, 1 << 20})
  void allMembersAreReadHoweverTheirBytesArrive(int step) throws IOException {
    long seed = Long.getLong("seed", step);
    Random random = new Random(seed);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int member = 0; member < 20; member++) {
      byte[] content = new byte[random.nextInt(3) * random.nextInt(2000)]; // some are empty
      random.nextBytes(content);
      packed.writeBytes(zipped(content));
      plain.writeBytes(content);
    }
    assertThat(unpacked(arriving(packed.toByteArray(), step)))
        .as("seed %d", seed)
        .isEqualTo(plain.toByteArray());
  }

  @Test
  void whatAHeaderMaySayIsSkipped() throws IOException {
    byte[] whole = zipped("text".getBytes(UTF_8));
    byte[] fields =
        joined(new byte[] {3, 0, 9, 9, 9}, "name\0".getBytes(UTF_8), "comment\0".getBytes(UTF_8));
    byte[] header = Arrays.copyOf(whole, 10);
    header[3] = 2 | 4 | 8 | 16;
    CRC32 sum = new CRC32();
    sum.update(joined(header, fields));
    byte[] check = {(byte) sum.getValue(), (byte) (sum.getValue() >> 8)};
    byte[] packed =
        joined(header, fields, check, Arrays.copyOfRange(whole, 10, whole.length), whole);
    assertThat(unpacked(arriving(packed, 5))).asString(UTF_8).isEqualTo("texttext");
  }

  @Test
  void anythingBehindThatIsNoMemberIsRefused() {
    byte[] whole = zipped("text".getBytes(UTF_8));
    for (String garbage : new String[] {"\0", "x", "garbage that is longer than any header"}) {
      for (int step : new int[] {1, 4096}) {
        byte[] packed = joined(whole, garbage.getBytes(UTF_8));
        assertThatExceptionOfType(IOException.class)
            .as("'%s' in steps of %d", garbage, step)
            .isThrownBy(() -> unpacked(arriving(packed, step)));
      }
    }
    assertThatExceptionOfType(ZipException.class)
        .isThrownBy(() -> unpacked(arriving(joined(whole, "garbage".getBytes(UTF_8)), 4096)));
  }

  @Test
  void whatIsCutOffOrChangedIsRefused() {
    byte[] member = zipped("some text, some text".getBytes(UTF_8));
    byte[] whole = joined(member, member);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      if (length != member.length) {
        assertThatExceptionOfType(EOFException.class)
            .as("cut to %d bytes", length)
            .isThrownBy(() -> unpacked(arriving(cut, 3)));
      }
    }
    for (int at = 10; at < whole.length; at++) {
      boolean inHeader = at >= member.length && at < member.length + 10;
      byte[] changed = whole.clone();
      changed[at] ^= 1;
      if (!inHeader) {
        assertThatExceptionOfType(IOException.class)
            .as("byte %d changed", at)
            .isThrownBy(() -> unpacked(arriving(changed, 3)));
      }
    }
  }
}
