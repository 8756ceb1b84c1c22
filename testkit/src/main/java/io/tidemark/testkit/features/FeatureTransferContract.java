// SPDX-License-Identifier: Apache-2.0
package io.tidemark.testkit.features;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.WireJson;
import io.tidemark.api.features.CollectionTransfer;
import io.tidemark.api.features.CsvColumns;
import io.tidemark.api.features.FeatureContext;
import io.tidemark.api.features.FeatureExportRequest;
import io.tidemark.api.features.FeatureFormat;
import io.tidemark.api.features.FeatureInput;
import io.tidemark.api.features.FeatureLoadProgress;
import io.tidemark.api.features.FeatureLoadReport;
import io.tidemark.api.features.FeatureLoadRequest;
import io.tidemark.api.features.FeatureMoment;
import io.tidemark.api.features.FeatureQueryRequest;
import io.tidemark.objects.ErrorCode;
import io.tidemark.objects.TidemarkException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promises of loads and exports of features. */
public abstract class FeatureTransferContract extends FeatureServiceContract {

  @TempDir private Path directory;
  private CollectionTransfer transfer;

  @BeforeEach
  void openTransfer() {
    transfer = collection.transfer();
  }

  private static FeatureLoadRequest request(String text) {
    return FeatureLoadRequest.of(input(text, FeatureFormat.GEOJSONSEQ));
  }

  private FeatureLoadReport load(FeatureLoadRequest request) {
    return transfer.load(request, progress -> {});
  }

  private List<String> stored() {
    return ids(features.queries().page(FeatureQueryRequest.of(id)).features());
  }

  @Test
  void aLoadCreatesItsCollection() {
    String fresh = newId();
    List<FeatureLoadProgress> told = new CopyOnWriteArrayList<>();

    FeatureLoadReport report =
        features
            .collection(fresh)
            .transfer()
            .load(
                request(point("a", "x") + "\n" + point("b", "y"))
                    .withCreate(Optional.of(oneTable())),
                told::add);

    assertThat(report.collection()).isEqualTo(fresh);
    assertThat(report.loaded()).isEqualTo(2);
    assertThat(report.replaced()).isZero();
    assertThat(report.skipped()).isZero();
    ObjectNode state = features.collection(fresh).get("a").orElseThrow();
    assertThat(txn(state)).isEqualTo(report.txn());
    assertThat(xyz(state).path("author").asText()).isEqualTo("ann");
    assertThat(told).isNotEmpty();
  }

  @Test
  void filesAreLoadedInEachFormat() throws IOException {
    Path file = directory.resolve("roads.geojson.gz");
    ObjectNode all = json("{'type': 'FeatureCollection'}");
    all.putArray("features").add(point("a", "x"));
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(all.toString().getBytes(UTF_8));
    }
    List<FeatureLoadProgress> told = new CopyOnWriteArrayList<>();

    assertThat(transfer.load(FeatureLoadRequest.of(FeatureInput.of(file)), told::add).loaded())
        .isEqualTo(1);

    assertThat(told)
        .extracting(FeatureLoadProgress::totalBytes)
        .contains(OptionalLong.of(Files.size(file)));
    assertThat(
            load(FeatureLoadRequest.of(input("\u001e" + point("b", "x") + "\n", FeatureFormat.RS))
                    .withUpsert(true))
                .loaded())
        .isEqualTo(1);
    FeatureLoadReport csv =
        load(
            FeatureLoadRequest.of(
                    input("key;east;north;name\n7;8.5;50.25;007\n", FeatureFormat.CSV))
                .withUpsert(true)
                .withCsv(
                    CsvColumns.standard()
                        .withId(Optional.of("key"))
                        .withLon(Optional.of("east"))
                        .withLat(Optional.of("north"))
                        .withDelimiter(Optional.of(';'))
                        .withText(true)));
    assertThat(csv.loaded()).isEqualTo(1);
    assertThat(stored()).containsExactlyInAnyOrder("a", "b", "7");
    assertThat(names(List.of(collection.get("7").orElseThrow()))).containsExactly("007");
  }

  @Test
  void featuresThatAreLeftOutOrReplacedAreCounted() {
    FeatureLoadReport report =
        load(
            request(
                    String.join(
                        "\n",
                        point("a", "old").toString(),
                        "{\"type\": \"Feature\", \"id\": \"bad\", \"geometry\": 7}",
                        point("a", "new").toString()))
                .withLastWins(true)
                .withSkipInvalid(1));

    assertThat(report.loaded()).isEqualTo(1);
    assertThat(report.replaced()).isEqualTo(1);
    assertThat(report.skipped()).isEqualTo(1);
    assertThat(report.problems()).hasSize(1);
    assertThat(names(List.of(collection.get("a").orElseThrow()))).containsExactly("new");
  }

  @Test
  void ofALoadThatIsRefusedNothingIsStored() {
    String one = point("a", "x").toString();
    assertFails("duplicate-id", () -> load(request(one + "\n" + one)));
    assertFails("invalid-input", () -> load(request(one + "\n{\"type\": \"Feature\"")));
    assertFails(
        "invalid-input",
        () -> load(request("{\"type\": \"Feature\", \"id\": \"bad\", \"geometry\": 7}")));
    assertFails(
        "invalid-input",
        () -> load(FeatureLoadRequest.of(FeatureInput.of(directory.resolve("none.geojson")))));
    assertFails(
        "invalid-request",
        () -> load(FeatureLoadRequest.of(input("PAR1", FeatureFormat.GEOPARQUET))));
    assertFails(
        "collection-not-found",
        () -> features.collection(newId()).transfer().load(request(one), progress -> {}));
    assertThat(stored()).isEmpty();

    put("b", "x");

    assertFails("refused", () -> load(request(one)));
    assertThat(stored()).containsExactly("b");
  }

  @Test
  void anInputThatBreaksOffIsInvalid() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the disk is gone");
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            return read();
          }
        };

    assertFails(
        "invalid-input",
        () ->
            load(
                FeatureLoadRequest.of(
                    FeatureInput.of(broken, "the text", FeatureFormat.GEOJSONSEQ))));
  }

  /** Features without an end, in the middle of which the context is cancelled. */
  private static final class Endless extends InputStream {
    private static final int CANCELLED_AFTER = 2_000;

    private final FeatureContext context;
    private byte[] line = new byte[0];
    private int position;
    private int lines;

    Endless(FeatureContext context) {
      this.context = context;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (position == line.length) {
        line = (point("f" + lines, "x") + "\n").getBytes(UTF_8);
        position = 0;
        if (++lines == CANCELLED_AFTER) {
          context.cancellation().cancel(new TidemarkException(ErrorCode.STOPPED, "cancelled"));
        }
      }
      int count = Math.min(length, line.length - position);
      System.arraycopy(line, position, into, offset, count);
      position += count;
      return count;
    }
  }

  @Test
  void ofALoadThatIsCancelledNothingIsStored() {
    FeatureContext context = context();
    FeatureInput endless =
        FeatureInput.of(new Endless(context), "the text", FeatureFormat.GEOJSONSEQ);

    assertFails(
        "stopped",
        () ->
            features
                .with(context)
                .collection(id)
                .transfer()
                .load(FeatureLoadRequest.of(endless), progress -> {}));

    assertThat(stored()).isEmpty();
  }

  private String exported(FeatureExportRequest request, long count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(transfer.export(request, out, done -> {})).isEqualTo(count);
    return out.toString(UTF_8);
  }

  @Test
  void aCollectionIsExportedInEachFormat() throws IOException {
    assertThat(exported(FeatureExportRequest.of(FeatureFormat.GEOJSON), 0)).contains("features");
    assertThat(exported(FeatureExportRequest.of(FeatureFormat.GEOJSONSEQ), 0)).isEmpty();
    ObjectNode old = put("a", "old\\nline");
    put("a", "new");
    put("b", "b");

    String document = exported(FeatureExportRequest.of(FeatureFormat.GEOJSON), 2);
    assertThat(WireJson.parse(document).path("features")).hasSize(2);
    assertThat(exported(FeatureExportRequest.of(FeatureFormat.GEOJSONSEQ), 2).lines())
        .allSatisfy(line -> assertThat(WireJson.parse(line).has("geometry")).isTrue())
        .hasSize(2);
    assertThat(exported(FeatureExportRequest.of(FeatureFormat.RS), 2).lines())
        .allSatisfy(line -> assertThat(line).startsWith("\u001e{"))
        .hasSize(2);
    FeatureExportRequest past =
        FeatureExportRequest.of(FeatureFormat.GEOJSONSEQ).at(FeatureMoment.transaction(txn(old)));
    assertThat(uuid(WireJson.parse(exported(past, 1)))).isEqualTo(uuid(old));
    Path file = directory.resolve("all.parquet");
    List<Long> told = new ArrayList<>();
    assertThat(transfer.export(FeatureExportRequest.of(FeatureFormat.GEOPARQUET), file, told::add))
        .isEqualTo(2);
    assertThat(new String(Files.readAllBytes(file), 0, 4, UTF_8)).isEqualTo("PAR1");
  }

  @Test
  void aFileIsNeverReplacedUnasked() throws IOException {
    put("a", "x");
    Path file = Files.writeString(directory.resolve("all.geojsonl"), "mine");
    FeatureExportRequest request = FeatureExportRequest.of(FeatureFormat.GEOJSONSEQ);

    assertFails("already-exists", () -> transfer.export(request, file, done -> {}));
    assertThat(file).hasContent("mine");
    assertFails(
        "storage-failure",
        () -> transfer.export(request, directory.resolve("no").resolve("file"), done -> {}));
    assertThat(transfer.export(request.withReplace(true), file, done -> {})).isEqualTo(1);

    assertThat(Files.readAllLines(file)).hasSize(1);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void anExportThatIsRefusedLeavesNoFile() throws IOException {
    Path file = directory.resolve("file");
    assertFails(
        "collection-not-found",
        () ->
            features
                .collection(newId())
                .transfer()
                .export(FeatureExportRequest.of(FeatureFormat.GEOJSON), file, done -> {}));
    assertFails(
        "invalid-request",
        () -> transfer.export(FeatureExportRequest.of(FeatureFormat.CSV), file, done -> {}));
    OutputStream out = OutputStream.nullOutputStream();
    assertFails(
        "invalid-request",
        () -> transfer.export(FeatureExportRequest.of(FeatureFormat.GEOPARQUET), out, done -> {}));
    assertFails(
        "invalid-request",
        () ->
            transfer.export(
                FeatureExportRequest.of(FeatureFormat.GEOJSON).at(new FeatureMoment("yesterday")),
                out,
                done -> {}));
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }
}
