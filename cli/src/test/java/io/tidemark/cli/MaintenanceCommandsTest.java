// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.Ledgers;
import io.tidemark.names.NameService;
import io.tidemark.names.Ref;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Indices are repaired and leftovers deleted; cases H. */
class MaintenanceCommandsTest extends LedgerCommandFixture {

  @Test
  void caseHTwoALostIndexIsFoundAndRepaired() throws IOException {
    crm();
    assertThat(done("index", "verify", "crm")).isEqualTo("the indices are complete up to commit 1");
    Files.delete(objects("meta/indices/entities/Customer.json"));
    Outcome verify = run("index", "verify", "crm", "--json");
    assertThat(verify.exitCode()).isEqualTo(4);
    assertThat(verify.out().strip())
        .isEqualTo(
            "{\"head_commit_id\":1,\"lagged_types\":[\"entity:Customer\"],\"missing_latest\":[],"
                + "\"holes\":[],\"misnamed_commit_id\":null,\"catalog\":[],\"ok\":false}");
    assertThat(done("ledger", "info", "crm", "--json"))
        .contains("\"last_index_warning\":\"index lag detected for entity:Customer");
    assertThat(done("ledger", "info", "crm", "--stats")).contains("entity:Customer 2");
    assertThat(done("index", "repair", "crm")).contains("would repair [entity:Customer]");
    assertThat(done("index", "repair", "crm", "--apply", "--json"))
        .isEqualTo(
            "{\"head_commit_id\":1,\"planned_types\":[\"entity:Customer\"],"
                + "\"misnamed_commit_id\":null,\"catalog\":[],\"applied\":true,\"repair_head\":1}");
    assertThat(done("index", "repair", "crm", "--deep")).isEqualTo("nothing to repair");
    assertThat(done("index", "verify", "crm", "--deep", "--json")).contains("\"ok\":true");
  }

  @Test
  void aNameThatIsBehindOrAheadIsToldAndRepaired() throws IOException {
    crm();
    age("c1", 31);
    nameservice(1);
    Outcome verify = run("index", "verify", "crm");
    assertThat(verify.exitCode()).as("a program without a nameservice leaves it so").isZero();
    assertThat(verify.out().lines())
        .containsExactly(
            "the indices are complete up to commit 2",
            "note: the nameservice takes commit 1 for the newest; the next commit of a program with"
                + " a nameservice moves it on, or 'tidemark index repair --apply'");
    assertThat(done("index", "verify", "crm", "--json"))
        .contains("\"misnamed_commit_id\":1,\"catalog\":[],\"ok\":true");
    assertThat(done("ledger", "info", "crm"))
        .contains("name     the nameservice takes commit 1 for the newest");
    assertThat(done("ledger", "info", "crm", "--json")).contains("\"misnamed_commit_id\":1");
    assertThat(done("index", "repair", "crm"))
        .startsWith("would repair the name, from commit 1 to 2;");
    assertThat(done("index", "repair", "crm", "--apply"))
        .isEqualTo("repaired the name, from commit 1 to 2");
    assertThat(done("list")).contains("crm:main  ledger  ready  2 baga");

    nameservice(2);
    assertThat(run("index", "verify", "crm").exitCode()).isEqualTo(4);
    assertThat(run("index", "verify", "crm").out())
        .startsWith("the nameservice takes another commit 2 for the newest");
    assertThat(done("ledger", "info", "crm"))
        .contains("name     the nameservice takes another commit 2 for the newest");
    done("index", "repair", "crm", "--apply");
    assertThat(done("index", "verify", "crm")).isEqualTo("the indices are complete up to commit 2");

    nameservice(7);
    assertThat(run("index", "verify", "crm", "--json").out())
        .contains("\"misnamed_commit_id\":7,\"catalog\":[],\"ok\":false");
    done("index", "repair", "crm", "--apply");
    assertThat(done("list")).contains("crm:main  ledger  ready  2 baga");
    assertThat(done("index", "verify", "crm")).isEqualTo("the indices are complete up to commit 2");
  }

  private void nameservice(long t) {
    try (NameService names = NameService.open(directory.resolve("data").toString())) {
      names
          .ledgers()
          .reset(Address.parse("crm"), new Ledgers.Heads(Ref.of("bagaother", t), Ref.UNBORN));
    }
  }

  @Test
  void caseHFiveALostListOfTypesIsAWarningAndVerifyFails() throws IOException {
    crm();
    Files.delete(objects("meta/schema/types.json"));
    assertThat(done("ledger", "info", "crm", "--json"))
        .contains("\"last_index_warning\":\"meta/schema/types.json of the ledger in");
    failed(5, "meta/schema/types.json", "index", "verify", "crm");
    failed(5, "is missing", "index", "repair", "crm");
  }

  private Path dataOf(String type) throws IOException {
    try (Stream<Path> files = Files.walk(objects("commits"))) {
      return files.filter(path -> path.endsWith(type + ".parquet")).findFirst().orElseThrow();
    }
  }

  @Test
  void aDamagedFileIsFoundByVerifyAndByTheDoctor() throws IOException {
    crm();
    assertThat(done("verify", "crm"))
        .isEqualTo("verified 1 commit, 3 files, 0 snapshots: nothing is damaged");
    assertThat(done("doctor")).contains("ok  ", "ledgers  ", "sampled 3 files of 1 ledger, intact");

    Path data = dataOf("Customer");
    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length / 2] ^= 1;
    Files.write(data, bytes);

    assertThat(done("verify", "crm")).contains("nothing is damaged");
    Outcome deep = run("verify", "crm", "--deep");
    assertThat(deep.exitCode()).isEqualTo(4);
    assertThat(deep.out())
        .startsWith("wrong-hash  ledgers/crm/commits/1-")
        .contains("/entities/Customer.parquet  expected SHA-256 ", ", found SHA-256 ")
        .contains("verified 1 commit, 3 files, 0 snapshots: 1 damaged; restore these keys");
    Outcome doctor = run("doctor");
    assertThat(doctor.exitCode()).isEqualTo(1);
    assertThat(doctor.out())
        .contains("failure  ledger crm:main  ", "1 damaged in a sample: wrong-hash  ledgers/crm/")
        .contains("run 'tidemark verify crm:main --deep'");

    Files.delete(data);
    Outcome missing = run("verify", "crm", "--json");
    assertThat(missing.exitCode()).isEqualTo(4);
    assertThat(missing.out())
        .contains(
            "\"damaged\":1,",
            "{\"damage\":\"missing\",\"branch\":\"main\",\"commit_id\":1,\"key\":\"ledgers/crm/",
            "\"found\":\"no such object\"}],\"deep\":false,\"complete\":true,\"ok\":false}");
    assertThat(run("doctor").out()).contains("1 damaged in a sample: missing  ledgers/crm/");
  }

  @Test
  void aVerificationGoesOnAfterACursor() throws IOException {
    crm();
    age("c1", 31);
    Files.delete(dataOf("Customer"));

    assertThat(run("verify", "crm").exitCode()).isEqualTo(4);
    assertThat(done("verify", "crm", "--after", "main@0")).contains("2 commits, 0 files");
    failed(2, "is no cursor of a verification", "verify", "crm", "--after", "120");
    failed(4, "is no cursor of a verification", "verify", "crm", "--after", "dev@120");
    failed(1, "there is no ledger none", "verify", "none");
  }

  @Test
  void leftoversAreDeletedWhenTheyAreOldAndItIsMeant() throws IOException {
    crm();
    Path orphan = objects("commits/2-deadbeef/entities/Customer.parquet");
    Files.createDirectories(orphan.getParent());
    Files.writeString(orphan, "x");
    assertThat(done("gc", "crm")).isEqualTo("nothing is left over");
    Files.setLastModifiedTime(orphan, FileTime.from(Instant.now().minusSeconds(3 * 86_400)));
    assertThat(done("gc", "crm"))
        .contains("commits/2-deadbeef/", "nothing was deleted, run it with --apply");
    assertThat(orphan).exists();
    assertThat(done("gc", "crm", "--min-age", "7d")).isEqualTo("nothing is left over");
    assertThat(done("gc", "crm", "--min-age", "1w")).isEqualTo("nothing is left over");
    assertThat(done("gc", "crm", "--min-age", "48h", "--apply", "--json"))
        .contains("\"min_age_seconds\":172800,\"applied\":true")
        .contains("\"directory\":\"commits/2-deadbeef/\"");
    assertThat(orphan).doesNotExist();
    assertThat(age("c1", 31)).isEqualTo("commit 2: 1 row written");
    failed(2, "'x' is no age", "gc", "crm", "--min-age", "x");
    failed(2, "--min-age must be at least 30s", "gc", "crm", "--min-age", "1s");
  }

  @Test
  void caseHSixACompactionIsPlannedFirstAndDoneWhenItIsMeant() throws IOException {
    crm();
    for (int age = 31; age <= 34; age++) {
      age("c1", age);
    }
    String planned =
        "\"planned\":[{\"kind\":\"entity\",\"type_name\":\"Customer\",\"entry_count\":5,"
            + "\"min_commit_id\":1,\"max_commit_id\":5}]";
    assertThat(done("compact", "crm", "--json")).isEqualTo("{" + planned + ",\"applied\":false}");
    assertThat(done("compact", "crm"))
        .contains("entity:Customer  5      1 to 5   6", "nothing was written, run it with --apply");
    assertThat(objects("snapshots")).doesNotExist();
    assertThat(done("compact", "crm", "--type", "Product", "--all"))
        .isEqualTo("nothing to compact");
    String before = done("query", "crm", "Customer", "--history", "--json");

    assertThat(done("compact", "crm", "--apply", "--json"))
        .isEqualTo("{" + planned + ",\"applied\":true}");

    assertThat(done("query", "crm", "Customer", "--history", "--json")).isEqualTo(before);
    assertThat(done("compact", "crm", "--all", "--apply")).isEqualTo("nothing to compact");
    assertThat(done("index", "verify", "crm", "--deep")).contains("complete");
    failed(4, "there is no type Nope", "compact", "crm", "--type", "Nope");
  }

  @Test
  void snapshotsThatWereMergedAreDeletedWhenTheyAreOld() throws IOException {
    crm();
    age("c1", 31);
    done("compact", "crm", "--all", "--apply");
    age("c1", 32);
    done("compact", "crm", "--all", "--apply");
    assertThat(done("gc", "crm")).isEqualTo("nothing is left over");
    FileTime longAgo = FileTime.from(Instant.now().minusSeconds(3 * 86_400));
    try (Stream<Path> files = Files.list(objects("snapshots/entities"))) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, longAgo);
      }
    }
    assertThat(done("gc", "crm")).contains("snapshots/entities/Customer-1-2-", "--apply");
    assertThat(done("gc", "crm", "--apply", "--json"))
        .contains("\"leftovers\":[],\"snapshots\":[{\"path\":\"snapshots/entities/Customer-1-2-");
    try (Stream<Path> files = Files.list(objects("snapshots/entities"))) {
      assertThat(files).singleElement().asString().contains("Customer-1-3-");
    }
    assertThat(done("query", "crm", "Customer", "--history", "--count")).isEqualTo("4");
  }
}
