// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the public types of the libraries to lists in the tree, so that a change of the API is seen
 * in a review. The libraries are the rooms that the BOM names.
 */
class PublicTypesTest {

  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>tidemark-([^<]+)</");

  /** Rooms that nobody builds on: programs and tests. */
  private static final Set<String> PROGRAMS = Set.of("cli", "bench", "testkit");

  private static final String GOLDEN = "src/test/resources/io/tidemark/bench/house";

  private final SourceTree tree = SourceTree.find();

  @Test
  void theBomNamesEveryLibrary() {
    Set<String> libraries = new HashSet<>(tree.modules());
    libraries.removeAll(PROGRAMS);

    assertThat(libraries()).containsExactlyInAnyOrderElementsOf(libraries);
  }

  @Test
  void everyPublicTypeIsOnTheList() throws IOException {
    List<String> found = new ArrayList<>();
    for (String room : libraries()) {
      of(List.of(room)).names().forEach(name -> found.add(room + " " + name));
    }

    requireListed("public-types.txt", found);
  }

  @Test
  void aPublicTypeShowsAnInternalOneOnlyWhereTheListSaysSo() throws IOException {
    requireListed("internal-types-shown.txt", of(libraries()).leaks());
  }

  @Test
  void aTypeOfAnInternalPackageIsNotPublic() {
    assertThat(of(List.of("aws")).names()).isEmpty();
  }

  @Test
  void aGeneratedBuilderBelongsToItsRecord() {
    assertThat(of(List.of("names")).names())
        .contains("io.tidemark.names.NameOptions", "io.tidemark.names.NameRecord.Meta")
        .noneMatch(name -> name.contains("NameOptionsBuilder"))
        .noneMatch(name -> name.contains("MetaBuilder"));
  }

  private List<String> libraries() {
    return ARTIFACT
        .matcher(tree.read("bom", "pom.xml"))
        .results()
        .map(artifact -> artifact.group(1))
        .filter(name -> !name.equals("bom"))
        .sorted()
        .toList();
  }

  private PublicTypes of(List<String> rooms) {
    return PublicTypes.of(
        new ClassFileImporter().importPaths(rooms.stream().map(tree::classes).toList()));
  }

  private void requireListed(String list, List<String> found) throws IOException {
    Path actual = tree.path("bench", "target", list);
    Files.writeString(
        actual, found.stream().map(line -> line + "\n").collect(Collectors.joining()));
    List<String> listed = tree.read("bench", GOLDEN, list).lines().toList();
    assertThat(differences(listed, found))
        .as("%s; if the change is meant, copy bench/target/%s to bench/%s", list, list, GOLDEN)
        .isEmpty();
    assertThat(listed).as("%s in order", list).isEqualTo(found);
  }

  /** Returns what came, with a plus before it, and what went, with a minus. */
  private static List<String> differences(List<String> listed, List<String> found) {
    return Stream.concat(
            found.stream().filter(line -> !listed.contains(line)).map(line -> "+ " + line),
            listed.stream().filter(line -> !found.contains(line)).map(line -> "- " + line))
        .toList();
  }
}
