// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.features.bulk.input.CsvOptions.Typing;
import io.tidemark.features.geojson.InvalidFeatureException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files are taken apart and parsed; none of it needs a server. */
class InputTest {

  private static Input input(InputFormat inputFormat, String text) {
    return Input.of(new ByteArrayInputStream(text.getBytes(UTF_8)), inputFormat);
  }

  private static List<String> read(Input input) throws IOException {
    List<String> found = new ArrayList<>();
    try (InputReader open = input.open()) {
      for (Optional<InputEntry> next = open.next(); next.isPresent(); next = open.next()) {
        String what;
        try {
          what = open.parser().parse(next.get().text()).geoJson();
        } catch (InvalidFeatureException e) {
          what = String.valueOf(e.getMessage());
        }
        found.add(open.placeOf(next.get()) + ": " + what);
      }
    }
    return found;
  }

  @Test
  void aPipeOfSeveralGzipMembersIsReadToItsEnd(@TempDir Path directory) throws Exception {
    Path pipe = directory.resolve("pipe.geojsonl.gz");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    String write = "exec >'%s'; for id in a b; do echo '{\"id\":\"'$id'\"}' | gzip; done";
    Process writer = new ProcessBuilder("sh", "-c", write.formatted(pipe)).start();

    try (InputReader open = Input.of(pipe).open()) {
      assertThat(open.next().orElseThrow().text()).asString(UTF_8).isEqualTo("{\"id\":\"a\"}");
      assertThat(open.next().orElseThrow().text()).asString(UTF_8).isEqualTo("{\"id\":\"b\"}");
      assertThat(open.next()).isEmpty();
    }
    assertThat(writer.waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1f8b0800 | compressed by gzip; unpack it, or give it as a file whose name ends in .gz",
        "fffe7b00 | in UTF-16, only UTF-8 is read; convert it: iconv -f UTF-16 -t UTF-8",
        "feff007b | in UTF-16, only UTF-8 is read; convert it: iconv -f UTF-16 -t UTF-8"
      })
  void inputThatIsNoTextInUtf8IsNamed(String begin, String problem) {
    for (InputFormat inputFormat : InputFormat.values()) {
      Input input = Input.of(new ByteArrayInputStream(HexFormat.of().parseHex(begin)), inputFormat);

      assertThatThrownBy(input::open)
          .isInstanceOf(InvalidInputException.class)
          .hasMessage("the input is " + problem);
    }
  }

  @Test
  void thePositionsInAPipeHaveNoLimitThatAnybodyKnows(@TempDir Path directory) throws Exception {
    Path pipe = directory.resolve("pipe.geojsonl");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Input input = Input.of(pipe);

    assertThat(input.size()).isEmpty();
    assertThat(input.isRepeatable()).isFalse();
    assertThat(input.mostPositions()).isEqualTo(1_000_000_000_000L);
    Path file = Files.writeString(directory.resolve("file.geojsonl"), "{}\n");
    assertThat(Input.of(file).size()).hasValue(3);
    assertThat(Input.of(file).isRepeatable()).isTrue();
  }

  @Test
  void aRowOfCsvIsNoLongerThanAFeatureMayBe() throws IOException {
    String row = "1,2,%s\n";

    assertThat(
            read(
                input(
                    InputFormat.CSV,
                    "lon,lat,t\n" + row.formatted("x".repeat(16 << 20)) + row.formatted("y"))))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith("line 2: the feature has 167773")
                    .endsWith("characters; at most 16777216 are taken"),
            second -> assertThat(second).contains("\"t\":\"y\""));
  }

  @Test
  void aCollectionIsReadFeatureByFeatureWhereverItsOtherMembersAre() throws IOException {
    String text =
        """
        \uFEFF{"name": "a \\"]}", "links": {"x": [1, {"features": []}]}, "type": "FeatureCollection",
         "features": [ {"id": "a}]\\\\", "properties": {"t": "\\"{["}},
           {"id": "b"} , 17, {"id": }],
         "bbox": [0, 0]}
        """;

    assertThat(read(input(InputFormat.GEOJSON, text)))
        .containsExactly(
            "feature 1 (line 2):"
                + " {\"id\":\"a}]\\\\\",\"properties\":{\"t\":\"\\\"{[\"},\"geometry\":null}",
            "feature 2 (line 3): {\"id\":\"b\",\"geometry\":null}",
            "feature 3: the feature is no JSON object",
            "feature 4 (line 3): the feature is no JSON: Unexpected character ('}' (code 125)):"
                + " expected a value");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"features\": [{\"id\": 1}, {\"id\"|line 1: the file ends in the middle",
        "{\"features\": [{\"id\": 1}]|line 1: the file ends in the middle",
        "{\"features\": [{\"id\": 1}]} x|line 1: something follows",
        "{\"features\": [{\"id\": 1} {\"id\": 2}]}|line 1: '{' is found; features of a list",
        "{\"type\": \"Feature\"}|line 1: the object has no member 'features'",
        "[1]|line 1: '[' is found; a FeatureCollection begins with {",
        "{\"features\": [], \"features\": []}|line 1: the object has two members 'features'",
        "{\"features\": 5}|line 1: '5' is found; the features are a list",
      })
  void aCollectionThatIsNotWholeIsRefused(String text, String message) {
    assertThatThrownBy(() -> read(input(InputFormat.GEOJSON, text)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"crs\": %s,\n\"features\": [{\"id\": 1}]}",
        "{\"features\": [{\"id\": 1}],\n\"crs\": %s\n}"
      })
  void aCollectionInAnotherReferenceSystemIsRefused(String text) throws IOException {
    String crs = "{\"type\": \"name\", \"properties\": {\"name\": \"urn:ogc:def:crs:%s\"}}";

    assertThat(read(input(InputFormat.GEOJSON, text.formatted(crs.formatted("OGC:1.3:CRS84")))))
        .hasSize(1);
    assertThatThrownBy(
            () -> read(input(InputFormat.GEOJSON, text.formatted(crs.formatted("EPSG::25832")))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageMatching(
            "line [12]: the crs is urn:ogc:def:crs:EPSG::25832, but .*'ogr2ogr -t_srs EPSG:4326"
                + " .*");
    assertThat(
            read(
                input(InputFormat.GEOJSON_SEQ, "{\"id\": 1, \"crs\": \"EPSG:3857\"}\n{\"id\": 2}")))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("line 1: the crs is EPSG:3857, but"),
            second -> assertThat(second).startsWith("line 2: {"));
  }

  @Test
  void anEmptyCollectionHasNoFeatures() throws IOException {
    assertThat(read(input(InputFormat.GEOJSON, "{\"features\": []}"))).isEmpty();
    assertThat(read(input(InputFormat.GEOJSON_SEQ, " \n\n"))).isEmpty();
    assertThatThrownBy(() -> read(input(InputFormat.CSV, ""))).hasMessageContaining("is empty");
  }

  @Test
  void aSequenceIsALineEachOrBeginsWithRs() throws IOException {
    assertThat(read(input(InputFormat.GEOJSON_SEQ, "{\"id\":1}\r\n\n  {\"id\":2}\n{\n")))
        .startsWith("line 1: {\"id\":1,\"geometry\":null}", "line 3: {\"id\":2,\"geometry\":null}")
        .hasSize(3);
    assertThat(
            read(
                input(
                    InputFormat.GEOJSON_SEQ,
                    "\u001e{\"id\":\n1}\n\u001e\u001e{\"id\":2}\u001e{\"id\":3}")))
        .containsExactly(
            "feature 1: {\"id\":1,\"geometry\":null}",
            "feature 2 (line 3): {\"id\":2,\"geometry\":null}",
            "feature 3: {\"id\":3,\"geometry\":null}");
  }

  @Test
  void csvBecomesPointsWithTypedProperties() throws IOException {
    String text =
        """
        Name;Longitude;LAT;id;n;code;ok\r
        "A; ""b""
        ";13.37;52.52;x1;1.50;007;true
        ;;;x2;-1e3;;no

        ;200;0;x3;;;
        ;1;zwei;x4;;;
        a;b
        """;

    assertThat(read(input(InputFormat.CSV, text)))
        .containsExactly(
            "line 2: {\"type\":\"Feature\",\"id\":\"x1\",\"properties\":{\"Name\":\"A; \\\"b\\\"\\n"
                + "\",\"n\":1.50,\"code\":\"007\",\"ok\":true},\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.37,52.52,0.0]}}",
            "line 4:"
                + " {\"type\":\"Feature\",\"id\":\"x2\",\"properties\":{\"n\":-1E+3,\"ok\":\"no\"},\"geometry\":null}",
            "line 6: the geometry has the position [200.0,0.0], which is beyond the world",
            "line 7: 'zwei' is no coordinate; degrees are written like 13.37",
            "line 8: the row has 2 fields, the header 7");
  }

  @Test
  void columnsOfCsvCanBeNamed() throws IOException {
    Input input = input(InputFormat.CSV, "a\tb\tlon\n1\t2\t3\n");
    CsvOptions options = CsvOptions.standard().withColumns("b", "A").withId("lon");

    assertThat(read(input.with(options.typed(Typing.TEXT))))
        .containsExactly(
            "line 2:"
                + " {\"type\":\"Feature\",\"id\":\"3\",\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[2.0,1.0,0.0]}}");
    assertThatThrownBy(() -> read(input(InputFormat.CSV, "a,b\n1,2\n")))
        .hasMessageContaining("no column is the longitude: the header has [a, b]");
    assertThatThrownBy(() -> read(input(InputFormat.CSV, "lon,lat,x,x\n")))
        .hasMessageContaining("a column twice");
    assertThatThrownBy(() -> read(input(InputFormat.CSV, "lon,lat\n\"1,2\n")))
        .hasMessageContaining("line 2: a quote is opened and never closed");
  }

  @Test
  void whatIsNoUtf8IsRefused() throws IOException {
    InputStream latin = new ByteArrayInputStream("{\"id\": \"ü\"}\n".getBytes(ISO_8859_1));

    assertThat(read(Input.of(latin, InputFormat.GEOJSON_SEQ)).get(0)).contains("Invalid UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"points.CSV.gz", "POINTS.CSV.GZ"})
  void compressedFilesAreReadAndTheirBytesCounted(String name, @TempDir Path directory)
      throws IOException {
    Path file = directory.resolve(name);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("lon,lat\n1,2\n".getBytes(UTF_8));
    }

    assertThat(read(Input.of(file))).hasSize(1);
    assertThat(Input.of(file).mostPositions()).isEqualTo(1_000_000_000_000L);
    try (InputReader open = Input.of(file).open()) {
      assertThat(open.next()).isPresent();
      assertThat(open.bytes()).isEqualTo(Files.size(file));
    }
    assertThatThrownBy(() -> Input.of(directory.resolve("x.txt")))
        .hasMessageContaining("doesn't tell its format");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 4096})
  void memoryIsBoundedByOneFeatureHoweverTheBytesArrive(int step) throws IOException {
    InputStream endless =
        new InputStream() {
          private static final String FEATURE = "{\"id\":1},";
          private long at;

          @Override
          public int read() {
            String text = at < 14 ? "{\"features\":[ " : FEATURE;
            return text.charAt((int) (at < 14 ? at++ : (at++ - 14) % FEATURE.length()));
          }

          @Override
          public int read(byte[] bytes, int from, int length) {
            int given = Math.min(step, length);
            for (int i = 0; i < given; i++) {
              bytes[from + i] = (byte) read();
            }
            return given;
          }
        };
    try (InputReader open = Input.of(endless, InputFormat.GEOJSON).open()) {
      for (int i = 1; i <= 20_000; i++) {
        assertThat(open.next().orElseThrow().text()).hasSize(8);
      }
    }
  }
}
