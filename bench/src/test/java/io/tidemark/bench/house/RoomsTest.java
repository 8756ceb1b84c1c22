// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;
import io.tidemark.bench.house.Rooms.Room;
import io.tidemark.bench.house.example.lower.Lower;
import io.tidemark.bench.house.example.upper.Upper;
import io.tidemark.objects.TidemarkException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Holds the code to the table of rooms in {@code docs/design/architecture.md}, which names rooms
 * that are to come as well.
 */
class RoomsTest {

  private static final String EXAMPLE = "io.tidemark.bench.house.example";
  private static final String BOTH_ROOMS =
      """
      | `lower/` | `%1$s.lower` | something | none | here |
      | `upper/` | `%1$s.upper` | something else | all above | here |
      """
          .formatted(EXAMPLE);

  private final SourceTree tree = SourceTree.find();

  /** The root of all exceptions is in the lowest room, but belongs to every room. */
  private final Rooms rooms =
      Rooms.parse(
          tree.read("docs", "design", "architecture.md"),
          Set.of(TidemarkException.class.getName()));

  @Test
  void everyRoomUsesOnlyWhatItMay() {
    List<Path> built = tree.modules().stream().map(tree::classes).toList();

    classes().should(rooms.condition()).check(new ClassFileImporter().importPaths(built));
  }

  @Test
  void noPackagesOfARoomUseEachOtherInACycle() {
    List<Path> built = tree.modules().stream().map(tree::classes).toList();

    noCycles().check(new ClassFileImporter().importPaths(built));
  }

  @Test
  void packagesThatUseEachOtherAreNoticed() {
    JavaClasses examples = new ClassFileImporter().importClasses(Lower.class, Upper.class);

    assertThat(noCycles().evaluate(examples).getFailureReport().getDetails())
        .singleElement()
        .asString()
        .contains("Cycle detected", Lower.class.getPackageName(), Upper.class.getPackageName());
  }

  @Test
  void theTableNamesExactlyTheModulesThatExistAsHere() {
    assertThat(rooms.all().stream().filter(Room::exists).map(Room::module))
        .containsExactlyInAnyOrderElementsOf(tree.modules());
  }

  @Test
  void theTableNamesTheRoomsThatAreToCome() {
    assertThat(rooms.all()).extracting(Room::module).contains("names", "ledger", "server", "cli");
  }

  @Test
  void aUseFromBelowIsNoticed() {
    List<String> violations = violations(Rooms.parse(BOTH_ROOMS, Set.of()));

    assertThat(violations).isNotEmpty().allMatch(v -> v.contains(Upper.class.getName()));
    assertThat(violations).noneMatch(v -> v.startsWith("Field <" + Upper.class.getName()));
  }

  @Test
  void aUseOfWhatIsForEveryoneIsAllowed() {
    assertThat(violations(Rooms.parse(BOTH_ROOMS, Set.of(Upper.class.getName())))).isEmpty();
  }

  @Test
  void aClassOutsideOfTheRoomsIsNoticed() {
    String upperOnly = BOTH_ROOMS.lines().skip(1).findFirst().orElseThrow();

    assertThat(violations(Rooms.parse(upperOnly, Set.of())))
        .containsExactly(Lower.class.getName() + " is in no room");
  }

  @Test
  void aRoomThatMayUseOneBelowItInTheTableIsRefused() {
    String cycle = BOTH_ROOMS.replace("none", "upper");

    assertThatThrownBy(() -> Rooms.parse(cycle, Set.of())).hasMessageContaining("lower may use");
  }

  @Test
  void theInnermostRoomOwnsAPackage() {
    assertThat(rooms.of("io.tidemark.objects.s3").map(Room::module)).contains("objects-s3");
    assertThat(rooms.of("io.tidemark.objects.other").map(Room::module)).contains("objects");
    assertThat(rooms.of("io.tidemark.api").map(Room::module)).contains("api");
    assertThat(rooms.of("io.tidemark.objectsother").map(Room::module)).contains("api");
    assertThat(rooms.of("io.tidemarkother")).isEmpty();
  }

  /** Holds for classes if no two of their packages use each other, directly or through others. */
  private static SliceRule noCycles() {
    return slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(type.getPackageName());
              }

              @Override
              public String getDescription() {
                return "packages";
              }
            })
        .should()
        .beFreeOfCycles();
  }

  private static List<String> violations(Rooms rooms) {
    JavaClasses examples = new ClassFileImporter().importClasses(Lower.class, Upper.class);
    return classes().should(rooms.condition()).evaluate(examples).getFailureReport().getDetails();
  }
}
