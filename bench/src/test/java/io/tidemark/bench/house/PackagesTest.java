// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every package says what lives in it, and that nothing in it is null unless it says so. */
class PackagesTest {

  private final SourceTree tree = SourceTree.find();

  @TestFactory
  List<DynamicTest> everyPackageIsDescribedAndNullMarked() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String module : tree.modules()) {
      for (String part : List.of("main", "test")) {
        for (Path folder : tree.packages(module, part)) {
          tests.add(
              DynamicTest.dynamicTest(
                  module + ", " + part + ": " + folder, () -> check(module, part, folder)));
        }
      }
    }
    return tests;
  }

  private void check(String module, String part, Path folder) {
    String name = folder.resolve("package-info.java").toString();
    // A test is mostly in the package of what it tests, which is described there.
    boolean describedByMain =
        part.equals("test")
            && tree.modules().stream()
                .anyMatch(other -> tree.exists(other, "src", "main", "java", name));
    if (!describedByMain) {
      assertThat(tree.read(module, "src", part, "java", name))
          .as("package-info.java of %s in src/%s of %s", folder, part, module)
          .contains("/**", "\n@NullMarked\n");
    }
  }
}
