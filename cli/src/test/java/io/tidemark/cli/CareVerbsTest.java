// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Indices are repaired and leftovers deleted; cases H. */
class CareVerbsTest extends LedgerVerbs {

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
                + "\"holes\":[],\"ok\":false}");
    assertThat(done("ledger", "info", "crm", "--json"))
        .contains("\"last_index_warning\":\"index lag detected for entity:Customer");
    assertThat(done("ledger", "info", "crm", "--stats")).contains("entity:Customer 2");
    assertThat(done("index", "repair", "crm")).contains("would repair [entity:Customer]");
    assertThat(done("index", "repair", "crm", "--apply", "--json"))
        .isEqualTo(
            "{\"head_commit_id\":1,\"planned_types\":[\"entity:Customer\"],\"applied\":true,"
                + "\"repair_head\":1}");
    assertThat(done("index", "repair", "crm", "--deep")).isEqualTo("nothing to repair");
    assertThat(done("index", "verify", "crm", "--deep", "--json")).contains("\"ok\":true");
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
    assertThat(done("gc", "crm", "--min-age", "48h", "--apply", "--json"))
        .contains("\"min_age_seconds\":172800,\"applied\":true")
        .contains("\"directory\":\"commits/2-deadbeef/\"");
    assertThat(orphan).doesNotExist();
    assertThat(age("c1", 31)).isEqualTo("commit 2: 1 row written");
    failed(2, "'x' is no age", "gc", "crm", "--min-age", "x");
    failed(2, "--min-age must be at least 30s", "gc", "crm", "--min-age", "1s");
  }
}
