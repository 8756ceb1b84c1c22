// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** {@code features load} and {@code features export}. */
class FeatureLoadExportCommandsTest extends FeatureCommandFixture {

  private static final String CSV = "id,lon,lat,name\na,1,2,x\nb,3,4,y\n";

  @Test
  void aFileIsLoadedAndExported() throws IOException {
    String csv = file("points.csv", CSV);
    String lines = directory.resolve("out.geojsonl").toString();

    assertThat(done("load", "stops", csv, "--create", "--points-only"))
        .startsWith("2 features loaded into stops, transaction 2");
    assertThat(done("export", "stops", lines)).isEqualTo("2 features written to " + lines);
    assertThat(done("load", "copy", lines, "--create", "--one-table", "--json"))
        .contains("\"loaded\":2", "\"skipped\":0");

    assertThat(Files.readString(directory.resolve("out.geojsonl")))
        .contains("\"coordinates\":[3.0,4.0,0.0]", "\"name\": \"y\"");
    failed(6, "is there already", "export", "stops", lines);
    done("export", "stops", lines, "--replace", "--at", "2020-01-01T00:00:00Z");
    assertThat(directory.resolve("out.geojsonl")).isEmptyFile();
  }

  @Test
  void whatCantBeLoadedIsToldWithItsPlace() throws IOException {
    String csv = file("points.csv", CSV + "a,5,6,z\n");
    String bad = file("bad.csv", CSV + "c,500,6,z\n");

    failed(4, "the id 'a' is there twice, in lines 2 and 4", "load", "stops", csv, "--create");
    failed(4, "let the last one win (--last-wins,", "load", "stops", csv, "--create");
    failed(4, "be left out (--skip-invalid,", "load", "stops", bad, "--create");
    failed(4, "csv as --format", "load", "stops", file("points.txt", CSV), "--create");
    failed(4, "line 4: the geometry has the position", "load", "stops", bad, "--create");
    assertThat(done("load", "stops", csv, "--create", "--last-wins"))
        .contains("2 features loaded", "1 replaced by later ones");
    failed(7, "the collection 'stops' has features", "load", "stops", csv);
    assertThat(done("load", "stops", bad, "--upsert", "--skip-invalid", "5"))
        .contains("2 features loaded", "1 left out:", "line 4: ");
    failed(1, "there is no collection 'absent'", "load", "absent", csv);
    failed(2, "say --create too", "load", "absent", csv, "--one-table");
    failed(2, "there is no format 'shp'", "load", "absent", csv, "--format", "shp");
    failed(2, "doesn't tell the format", "export", "stops", "x.shp");
    failed(2, "is neither a transaction", "export", "stops", "x.geojsonl", "--at", "someday");
  }

  @Test
  void aCompressedFileThatIsCutOffIsSaidToBe() throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(whole)) {
      out.write(CSV.getBytes(StandardCharsets.UTF_8));
    }
    for (int bytes : new int[] {5, whole.size() - 10}) {
      Path cut = directory.resolve("cut.csv.gz");
      Files.write(cut, Arrays.copyOf(whole.toByteArray(), bytes));
      failed(
          4,
          "cut.csv.gz can't be read to its end: it is cut off; get it anew; nothing was loaded",
          "load",
          "stops",
          cut.toString(),
          "--create");
    }
  }

  @Test
  void standardInputIsLoaded() {
    Outcome outcome =
        told("{\"id\":\"a\"}\n{\"id\":\"b\"}\n", "load", "things", "-", "--create", "--one-table");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("2 features loaded into things");
  }
}
