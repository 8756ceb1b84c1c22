// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench;

import io.tidemark.bench.measure.BenchOptions;
import io.tidemark.bench.measure.Report;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark bench objects}. */
@Command(
    name = "objects",
    description = {
      "Measures the object stores: the directory beside bare file operations, S3 beside the bare",
      "client on a server of its own. Ends with exit code 1 when a goal is missed."
    },
    footer = {
      "",
      "Examples:",
      "  tidemark bench objects",
      "  tidemark bench objects --directory /mnt/ssd",
      "  tidemark bench objects --quick --json"
    })
final class ObjectsBenchCommand implements Callable<Integer> {

  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws Exception {
    Path place = options.temporaryPlace();
    Report report = options.report();
    ObjectsScale objectsScale = options.quick() ? ObjectsScale.quick() : ObjectsScale.full();
    new DirectoryBench(place, objectsScale, report).run();
    new S3Bench(objectsScale, report).run();
    return options.verdict(report);
  }
}
