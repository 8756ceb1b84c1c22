// SPDX-License-Identifier: Apache-2.0
package io.tidemark.names.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.names.Address;
import io.tidemark.names.NameService;
import io.tidemark.objects.InvalidLocationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents as files, opened like any other location. */
class ConnectionProviderTest {

  private static final Address MYDB = Address.parse("mydb");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"connection.json", "connection.jsonld", "CONNECTION.JSON"})
  void aFileThatEndsLikeOneIsADocument(String name) throws IOException {
    Path file = Files.writeString(folder.resolve(name), document(folder.resolve("data")));
    for (String location :
        new String[] {file.toString(), file.toUri().toString(), "connection:" + file}) {
      try (NameService names = NameService.open(location)) {
        names.purge(MYDB);
        names.create(MYDB);
        assertThat(names.location()).isEqualTo("file://" + folder.resolve("data") + "/");
      }
      assertThat(folder.resolve("data/ns@v2/mydb/main.json")).exists();
    }
  }

  @Test
  void aDirectoryStaysADirectoryWhateverItIsCalled() throws IOException {
    Path directory = Files.createDirectory(folder.resolve("odd.json"));
    try (NameService names = NameService.open(directory.toString())) {
      names.create(MYDB);
    }
    assertThat(directory.resolve("ns@v2/mydb/main.json")).exists();
  }

  @Test
  void aMissingFileDoesntBecomeADirectory() {
    Path missing = folder.resolve("conection.json");
    assertThatThrownBy(() -> NameService.open(missing.toString()))
        .isInstanceOf(InvalidConnectionException.class)
        .hasMessage(
            "there is no connection document "
                + missing
                + "; write the path of one, or of a directory");
    assertThat(missing).doesNotExist();
  }

  @Test
  void aFileThatIsntTextIsSaidToBeSo() throws IOException {
    Path file = Files.write(folder.resolve("c.json"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThatThrownBy(() -> NameService.open(file.toString()))
        .isInstanceOf(InvalidConnectionException.class)
        .hasMessage("the connection document " + file + " isn't UTF-8; save it as such");
  }

  @Test
  void aMistakeIsSaidWithTheFile() throws IOException {
    Path file = Files.writeString(folder.resolve("c.json"), "{}");
    assertThatThrownBy(() -> NameService.open(file.toString()))
        .isInstanceOf(InvalidConnectionException.class)
        .hasMessageStartingWith(file + ": the connection document has no @graph; write ");
  }

  @Test
  void aPlaceThatNobodyOpensIsSaidSo() throws IOException {
    String json =
        document(folder)
            .replace("\"indexStorage\"", "\"primaryPublisher\": {\"@id\": \"p\"}, \"indexStorage\"")
            .replace(
                "\"@graph\": [",
                "\"@graph\": [{\"@id\": \"p\", \"@type\": \"Publisher\","
                    + " \"dynamodbTable\": \"t\"},");
    Path file = Files.writeString(folder.resolve("c.json"), json);
    assertThatThrownBy(() -> NameService.open(file.toString()))
        .isInstanceOf(InvalidLocationException.class)
        .hasMessageStartingWith("no nameservice for \"dynamodb:\" is known; write a path, ");
  }

  private static String document(Path data) {
    return """
        {"@context": {"@vocab": "https://ns.flur.ee/system#"}, "@graph": [
          {"@id": "s", "@type": "Storage", "filePath": "%s"},
          {"@id": "c", "@type": "Connection", "indexStorage": {"@id": "s"}}]}
        """
        .formatted(data);
  }
}
