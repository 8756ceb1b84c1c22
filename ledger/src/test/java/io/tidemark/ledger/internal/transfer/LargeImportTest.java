// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerInitializer;
import io.tidemark.ledger.LedgerOptions;
import io.tidemark.ledger.internal.transfer.LedgerImportOptions.Mode;
import io.tidemark.ledger.schema.DeclaredSchema;
import io.tidemark.ledger.schema.TypeSchema;
import io.tidemark.objects.ObjectStore;
import io.tidemark.testkit.process.ChildJvm;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * More rows than fit in memory, of which the child has 256 MB, are one commit or none; a million in
 * the soak run, so that what is kept of each counts too.
 */
class LargeImportTest {

  private static final int ROWS = Boolean.getBoolean("soak") ? 1_000_000 : 300_000;
  private static final int TEXT = 400;
  private static final int STEP = 20_000;
  private static final List<TypeSchema> TYPES =
      DeclaredSchema.parse(
          "{\"entity\":\"Noise\",\"key\":\"id\",\"fields\":{\"id\":\"string\",\"text\":\"string\"}}");

  @TempDir private Path directory;

  @Test
  void moreRowsThanFitInMemoryAreImportedAndExported() throws Exception {
    try (ChildJvm child = start("import")) {
      assertThat(child.linesToEnd()).endsWith("imported " + ROWS + " with [1]");
    }
    try (ChildJvm child = start("export")) {
      assertThat(child.linesToEnd()).containsExactly("exported " + ROWS);
    }
    try (Stream<String> lines = Files.lines(directory.resolve("out/Noise.jsonl"))) {
      assertThat(lines.count()).isEqualTo(ROWS);
    }
    assertThat(Files.size(directory.resolve("out/Noise.jsonl"))).isGreaterThan(ROWS * (TEXT + 50L));
  }

  @Test
  void anImportThatIsKilledLeavesTheLedgerAsItWas() {
    try (ChildJvm child = start("import")) {
      child.expectLine("read " + STEP);
      child.kill();
    }
    try (ObjectStore store = ObjectStore.open(directory.resolve("data").toString());
        Ledger ledger = Ledger.open(store, "", LedgerOptions.standard())) {
      assertThat(ledger.log().head()).isEmpty();
      assertThat(ledger.schemas().current()).isEmpty();
      assertThat(ledger.orphans().find(Duration.ofSeconds(30))).isEmpty();
    }
  }

  private ChildJvm start(String what) {
    return ChildJvm.start(
        Map.of("soak", Boolean.toString(Boolean.getBoolean("soak"))),
        LargeImportTest.class,
        directory.toString(),
        what);
  }

  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    try (ObjectStore store = ObjectStore.open(directory.resolve("data").toString())) {
      if (arguments[1].equals("import")) {
        new LedgerInitializer(store, "").init();
      }
      try (Ledger ledger = Ledger.open(store, "", LedgerOptions.standard())) {
        System.out.println(
            arguments[1].equals("import")
                ? load(ledger)
                : unload(ledger, directory.resolve("out")));
      }
    }
  }

  private static String load(Ledger ledger) {
    LedgerImportReport report =
        new LedgerImport(
                ledger, LedgerImportOptions.standard().withMode(Mode.APPLY).withDeclared(TYPES))
            .from(Inputs.of(new NoiseStream(), "noise"), LargeImportTest::say);
    return "imported " + report.inserts() + " with " + report.commits();
  }

  private static String unload(Ledger ledger, Path directory) {
    return "exported "
        + Inputs.write(new LedgerExport(ledger, LedgerExportOptions.standard()), directory).total();
  }

  private static void say(long records) {
    if (records % STEP == 0) {
      System.out.println("read " + records);
    }
  }

  /**
   * Lines that don't compress, made while they are read; in no order. Their texts are parts of one
   * that is longer than what a compressor looks back on.
   */
  private static final class NoiseStream extends InputStream {
    private final SplittableRandom random = new SplittableRandom(7);
    private final String noise = noise();
    private byte[] line = {};
    private int position;
    private int made;

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (position == line.length) {
        if (made == ROWS) {
          return -1;
        }
        next();
      }
      int count = Math.min(length, line.length - position);
      System.arraycopy(line, position, target, offset, count);
      position += count;
      return count;
    }

    private String noise() {
      byte[] bytes = new byte[1 << 20];
      random.nextBytes(bytes);
      return HexFormat.of().formatHex(bytes);
    }

    private void next() {
      int start = random.nextInt(noise.length() - TEXT);
      String id = Integer.toHexString(Integer.reverse(made++));
      String text =
          "{\"type_kind\":\"entity\",\"type_name\":\"Noise\",\"fields\":{\"id\":\""
              + id
              + "\",\"text\":\""
              + noise.substring(start, start + TEXT)
              + "\"}}\n";
      line = text.getBytes(StandardCharsets.US_ASCII);
      position = 0;
    }
  }
}
