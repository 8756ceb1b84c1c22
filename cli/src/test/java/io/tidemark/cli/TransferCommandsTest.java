// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Rows leave a ledger and come into another; cases K4 to K6. */
class TransferCommandsTest extends LedgerCommandFixture {

  @Test
  void casesKFourToKSixWhatIsExportedIsImported() throws IOException {
    crm();
    String out = directory.resolve("out").toString();
    assertThat(done("export", "crm", "--output", out)).isEqualTo("Exported 4 rows to " + out + "/");
    done("ledger", "init", "copy");
    assertThat(done("import", "copy", out, "--json"))
        .startsWith("{\"status\":\"dry_run\",\"commit_id\":null,\"total_records\":4,\"inserts\":4");
    assertThat(done("import", "copy", out, "--apply", "--meta", "k=v", "--json"))
        .isEqualTo(
            "{\"status\":\"applied\",\"commit_id\":1,\"total_records\":4,\"inserts\":4,"
                + "\"updates\":0,\"unchanged\":0,\"skipped\":0,\"conflicts\":0,\"commits\":[1],"
                + "\"reasons\":[]}");
    assertThat(done("log", "copy", "--json")).contains("\"meta\":{\"k\":\"v\"");

    Outcome abort = run("import", "copy", out, "--apply", "--json");
    assertThat(abort.exitCode()).isEqualTo(6);
    assertThat(abort.out()).contains("\"status\":\"conflict\"", "\"conflicts\":4");
    assertThat(done("import", "copy", out, "--apply", "--on-conflict", "skip", "--json"))
        .contains("\"commit_id\":null", "\"skipped\":4");
    assertThat(done("import", "copy", out, "--apply", "--on-conflict", "upsert"))
        .contains("4 unchanged")
        .endsWith("nothing to commit: all of it is so already");
    Outcome head =
        run(
            "import",
            "copy",
            out,
            "--apply",
            "--on-conflict",
            "upsert",
            "--precondition",
            "if_commit_id:7");
    assertThat(head.exitCode()).isEqualTo(6);
    assertThat(head.out()).contains("the newest commit is 1, not 7", "nothing was written");
    done("import", "copy", out, "--precondition", "must_exist");
    assertThat(
            run("import", "copy", out, "--on-conflict", "skip", "--precondition", "must_not_exist")
                .exitCode())
        .isEqualTo(6);
  }

  @Test
  void oneRecordIsNotCalledRecords() throws IOException {
    crm();
    String one =
        "{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"fields\":{\"id\":\"c9\",\"age\":1}}\n";
    assertThat(done("import", "crm", file("one.jsonl", one)))
        .startsWith("1 record: 1 insert, 0 updates, 0 unchanged, 0 skipped, 0 conflicts");
  }

  @Test
  void anExportIsAsOfATime() throws IOException {
    crm();
    String out = directory.resolve("out").toString();
    Outcome before = run("export", "crm", "--output", out, "--as-of", "2 hours ago");
    assertThat(before.out()).startsWith("Exported 0 rows");
    assertThat(before.err()).startsWith("tidemark: '2 hours ago' is ");
    assertThat(run("export", "crm", "--output", out, "--as-of", "2999-01-01").out().strip())
        .isEqualTo(done("export", "crm", "--output", out));
  }

  @Test
  void importAndExportAreMisusedInTheseWays() throws IOException {
    crm();
    String out = directory.resolve("out").toString();
    failed(
        2,
        "exclude one another",
        "export",
        "crm",
        "--output",
        out,
        "--as-of",
        "1",
        "--history-since",
        "0");
    failed(2, "--output", "export", "crm");
    failed(2, "--as-of takes a commit", "export", "crm", "--output", out, "--as-of", "x");
    failed(1, "there is no commit 7", "export", "crm", "--output", out, "--as-of", "7");
    failed(4, "there is no type X", "export", "crm", "--output", out, "--type", "X");
    failed(1, "can't write", "export", "crm", "--output", file("a-file", ""));
    failed(1, "there is no such file", "import", "crm", out + "/none");
    failed(2, "there is no precondition 'x'", "import", "crm", out, "--precondition", "x");
    failed(2, "--on-conflict", "import", "crm", out, "--on-conflict", "x");
    failed(
        2,
        "skip or upsert",
        "import",
        "crm",
        out,
        "--on-conflict",
        "abort",
        "--precondition",
        "must_exist");
    failed(2, "--batch takes", "import", "crm", out, "--batch", "0");
    failed(4, "line 2: ", "import", "crm", file("bad.jsonl", "\n{\"x\""));
  }

  @Test
  void anImportInBatchesMakesSeveralCommits() throws IOException {
    crm();
    String out = directory.resolve("out").toString();
    done("export", "crm", "--output", out, "--with-metadata", "--history-since", "0");
    done("ledger", "init", "copy");
    assertThat(done("import", "copy", out, "--apply", "--batch", "3")).endsWith("commits 1 to 2");
  }
}
