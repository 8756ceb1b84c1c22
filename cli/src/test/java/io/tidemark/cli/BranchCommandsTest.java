// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.names.Address;
import io.tidemark.names.EditDecision;
import io.tidemark.names.NameService;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Branches of a ledger on the command line. */
class BranchCommandsTest extends LedgerCommandFixture {

  private static final String DEV = "crm:dev";

  private String ageOn(String ledger, String id, int age) throws IOException {
    String row = file("row.jsonl", "{\"id\":\"" + id + "\",\"age\":" + age + "}\n");
    return done("commit", ledger, row, "--type", "Customer");
  }

  @Test
  void everyVerbTakesABranch() throws IOException {
    crm();
    age("c1", 31);
    assertThat(done("branch", "create", "crm", "dev", "--at", "1"))
        .contains("branched from  main", "\"t\":1}");
    assertThat(ageOn(DEV, "c1", 50)).isEqualTo("commit 2: 1 row written");

    assertThat(done("log", DEV).lines()).hasSize(3);
    assertThat(done("changes", DEV, "2")).contains("updated   entity:Customer c1  age 30 -> 50");
    assertThat(done("query", DEV, "Customer", "--where", "age > 30")).contains("c1", "50");
    assertThat(done("query", "crm", "Customer", "--where", "age > 30")).contains("31");
    assertThat(done("schema", "show", DEV)).contains("Customer");
    assertThat(done("index", "verify", DEV)).contains("2");
    assertThat(done("gc", DEV)).isEqualTo("nothing is left over");
    assertThat(done("ledger", "info", DEV)).contains("ledgers/crm/branches/dev");
    assertThat(done("export", DEV, "--output", directory.resolve("out").toString()))
        .contains("4 rows");
    assertThat(Files.readString(directory.resolve("out/Customer.jsonl"))).contains("\"age\":50");
    assertThat(done("import", "crm", directory.resolve("out").toString(), "--on-conflict", "skip"))
        .contains("4");
    assertThat(done("show", DEV, "--json")).contains("\"t\":2");
    assertThat(done("branch", "list", "crm").lines()).hasSize(3);
  }

  @Test
  void branchesAreMadeAndDroppedWithTheirNames() throws IOException {
    crm();
    done("branch", "create", "crm", "dev");
    done("branch", "create", DEV, "fix");

    failed(6, "crm:dev is there already", "branch", "create", DEV, "dev", "--at", "1");
    failed(6, "at commit 1; choose another name", "branch", "create", "crm", "main");
    failed(1, "no commit 7", "branch", "create", "crm", "other", "--at", "7");
    failed(2, "give --at", "branch", "create", "crm", "x", "--at-id", "b", "--at-t", "1");
    failed(7, "root", "branch", "drop", "crm:main");
    assertThat(done("branch", "drop", DEV)).isEqualTo("crm:dev: deferred");
    assertThat(objects("branches/dev/meta/head.json")).exists();
    failed(7, "retracted", "log", DEV);
    assertThat(done("branch", "drop", "crm:fix")).isEqualTo("crm:fix: gone, and with it crm:dev");
    assertThat(objects("branches/dev/meta/head.json")).content().contains("dropped_at");
    assertThat(objects("branches/fix/meta/head.json")).content().contains("dropped_at");
    failed(1, "no branch crm:fix", "log", "crm:fix");
    failed(1, "crm:fix", "branch", "drop", "crm:fix");
  }

  /** Leaves a drop of crm:dev with crm:fix as a process does that dies after the first record. */
  private void brokenOffDrop() {
    done("branch", "create", "crm", "dev");
    done("branch", "create", DEV, "fix");
    done("branch", "drop", DEV);
    try (NameService names = NameService.open(directory.resolve("data").toString())) {
      names.backend().edit(Address.parse("crm:fix"), seen -> EditDecision.remove());
    }
  }

  @Test
  void aDropThatWasBrokenOffIsFinishedByDoingItAgain() throws IOException {
    crm();
    brokenOffDrop();
    assertThat(done("doctor"))
        .containsPattern(
            "warning +branches of crm +the drop of crm:dev was broken off; finish it with"
                + " 'tidemark branch drop crm --unfinished'");
    assertThat(done("branch", "drop", "crm:fix")).isEqualTo("crm:fix: gone, and with it crm:dev");
    assertThat(objects("branches/dev/meta/head.json")).content().contains("dropped_at");
    assertThat(objects("branches/fix/meta/head.json")).content().contains("dropped_at");
    assertThat(done("doctor")).doesNotContain("branches of crm");
  }

  @Test
  void unfinishedDropsAreFinishedByTheName() throws IOException {
    crm();
    brokenOffDrop();
    assertThat(done("branch", "drop", "crm", "--unfinished")).isEqualTo("crm: dropped crm:dev");
    assertThat(objects("branches/dev/meta/head.json")).content().contains("dropped_at");
    assertThat(done("branch", "drop", "crm", "--unfinished")).isEqualTo("crm: no unfinished drops");
    assertThat(done("show", "crm", "--json")).contains("\"branches\":0");
  }

  @Test
  void aRetractedBranchThatLostItsLastBranchIsTold() throws IOException {
    crm();
    done("branch", "create", "crm", "dev");
    done("branch", "create", DEV, "fix");
    done("retract", DEV);
    String told =
        System.lineSeparator()
            + "crm:dev is retracted and has no branches: drop it with 'tidemark branch drop"
            + " crm:dev', or leave it to be restored";
    assertThat(done("branch", "drop", "crm:fix")).isEqualTo("crm:fix: gone" + told);
    assertThat(done("branch", "drop", "crm", "--unfinished"))
        .isEqualTo("crm: no unfinished drops" + told);
    assertThat(done("doctor"))
        .containsPattern("warning +branches of crm +crm:dev is retracted and has no branches");
    assertThat(done("branch", "drop", DEV)).isEqualTo("crm:dev: gone");
    assertThat(done("doctor")).doesNotContain("branches of crm");
  }

  @Test
  void aNameThatMeansACommitIsNoBranchs() throws IOException {
    crm();
    age("c1", 31);

    failed(7, "can't be called '7', which means a commit", "branch", "create", "crm", "7");
    failed(7, "can't be called 'head'", "branch", "create", "crm", "head");
    failed(7, "can't be called 'a..b'", "branch", "create", "crm", "a..b", "--at", "1");
    assertThat(done("branch", "list", "crm").lines()).as("nor is a name left").hasSize(2);
    assertThat(done("diff", "crm", "1..HEAD", "--stat")).contains("entity:Customer  0         1");
    assertThat(done("diff", "crm", "1", "head", "--stat")).contains("entity:Customer  0         1");
  }

  @Test
  void whatBrokeOffHalfwayIsCompletedByDoingItAgain() throws IOException {
    crm();
    done("branch", "create", "crm", "dev");
    Files.delete(objects("branches/dev/meta/head.json"));
    failed(5, "make it with 'branch create'", "log", DEV);
    age("c1", 31);
    failed(6, "of something else at commit 1", "branch", "create", "crm", "dev", "--at", "2");
    done("branch", "create", "crm", "dev");
    assertThat(done("log", DEV, "--json"))
        .contains("\"commit_id\":1")
        .doesNotContain("\"commit_id\":2");

    done("purge", DEV, "--yes");
    assertThat(done("branch", "list", "crm"))
        .contains("without a name, to be made or dropped again: dev");
    assertThat(done("branch", "drop", DEV)).isEqualTo("crm:dev: gone");
    assertThat(objects("branches/dev/meta/head.json")).content().contains("dropped_at");
    failed(7, "[fix]", forced());
  }

  private String[] forced() throws IOException {
    done("branch", "create", "crm", "fix");
    String token =
        found(
            "\"force_token\":\"([0-9a-f]+)\"",
            done("ledger", "init", "crm", "--dry-run", "--json"));
    return new String[] {"ledger", "init", "crm", "--force", "--token", token};
  }

  @Test
  void aLedgerBeginsWithMain() {
    failed(2, "make the branch with 'branch create crm dev'", "ledger", "init", DEV);
  }

  @Test
  void aDiffAcrossAMigrationComparesInOneSchema() throws IOException {
    crm();
    age("c1", 31);
    String types =
        file(
            "next.json",
            TYPES.replace("\"age\": \"long\"", "\"years\": \"long\", \"email\": \"string?\""));
    done("schema", "migrate", "crm", types, "--rename", "Customer.age=years", "--apply", "--force");

    Outcome same = run("diff", "crm", "2..3");
    assertThat(same.out().strip()).isEqualTo("no difference");
    assertThat(same.err().strip())
        .isEqualTo("tidemark: entity:Customer: 2 rows of version 1 shown in version 2");
    Outcome changed = run("diff", "crm", "1..3", "--json");
    assertThat(changed.out())
        .contains(
            "\"before\":{\"email\":null,\"id\":\"c1\",\"years\":30},\"before_commit_id\":1",
            "\"schema_versions\":[{\"type\":\"entity:Customer\",\"shown_version_id\":2,"
                + "\"rows_by_version\":{\"1\":2}}]");
    Outcome then = run("diff", "crm", "1..2", "--schema-as-of-commit", "2");
    assertThat(then.out()).contains("changed   entity:Customer c1  age 30 -> 31");
    assertThat(then.err()).isEmpty();
    failed(1, "no commit 9", "diff", "crm", "1..2", "--schema-as-of-commit", "9");
    assertThat(done("changes", "crm", "3").lines())
        .contains(
            "updated   entity:Customer c1  age 31 -> nothing, email nothing -> null, years nothing -> 31");
  }

  @Test
  void aDiffTellsCountsFirstAndThenRows() throws IOException {
    crm();
    age("c1", 31);
    age("c3", 3);
    done("branch", "create", "crm", "dev", "--at", "1");
    ageOn(DEV, "c2", 10);

    assertThat(done("diff", "crm", "1..3").lines())
        .containsExactly(
            "TYPE             INSERTED  CHANGED  REMOVED",
            "entity:Customer  1         1        0",
            "both have commit 1",
            "",
            "changed   entity:Customer c1  age 30 -> 31",
            "inserted  entity:Customer c3  {\"age\":3,\"id\":\"c3\"}");
    assertThat(done("diff", "crm", "main..dev", "--stat").lines())
        .contains("entity:Customer  0         2        1")
        .hasSize(3);
    assertThat(done("diff", DEV, "..main")).contains("changed   entity:Customer c2  age 10 -> 9");
    assertThat(done("diff", "crm", "dev@1", "main@1")).isEqualTo("no difference");
    assertThat(done("diff", "crm", "2..3", "--json"))
        .isEqualTo(
            "{\"from\":\"main@2\",\"to\":\"main@3\",\"ancestor\":2,\"counts\":"
                + "[{\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"inserted\":1,"
                + "\"changed\":0,\"removed\":0}],\"differences\":[{\"operation\":\"inserted\","
                + "\"type_kind\":\"entity\",\"type_name\":\"Customer\",\"key\":\"c3\","
                + "\"before\":null,\"before_commit_id\":null,"
                + "\"after\":{\"age\":3,\"id\":\"c3\"},\"after_commit_id\":3}]}");
    assertThat(done("diff", "crm", "0..3").lines())
        .containsExactly(
            "TYPE             INSERTED  CHANGED  REMOVED",
            "entity:Customer  3         0        0",
            "entity:Product   1         0        0",
            "relation:Sub     1         0        0",
            "they have no commit in common",
            "",
            "inserted  entity:Customer c2  {\"age\":9,\"id\":\"c2\"}",
            "inserted  entity:Customer c1  {\"age\":31,\"id\":\"c1\"}",
            "inserted  entity:Customer c3  {\"age\":3,\"id\":\"c3\"}",
            "inserted  entity:Product p1  {\"sku\":\"p1\"}",
            "inserted  relation:Sub (c1, p1)  {\"seats\":5}");
    failed(1, "no commit 9", "diff", "crm", "1..9");
    failed(1, "no commit 9223372036854775807", "diff", "crm", "1..99999999999999999999");
    failed(1, "no branch fix", "diff", "crm", "main..fix");
    failed(2, "isn't two states", "diff", "crm", "7");
    failed(2, "is no state", "diff", "crm", "a@b..7");
  }

  @Test
  void aMergeIsADryRunUntilItIsMeant() throws IOException {
    crm();
    done("branch", "create", "crm", "dev");
    ageOn(DEV, "c1", 50);

    assertThat(done("merge", "crm", "dev"))
        .isEqualTo(
            "main would move from commit 1 to commit 2 of dev; nothing was done, run it with"
                + " --apply");
    assertThat(done("merge", "crm", "dev", "--json"))
        .isEqualTo(
            "{\"outcome\":\"fast_forward\",\"target_commit\":1,\"source_commit\":2,"
                + "\"source\":\"dev\",\"target\":\"main\",\"applied\":false}");
    assertThat(done("merge", "crm", "dev", "--apply"))
        .isEqualTo("main moved from commit 1 to commit 2 of dev");
    assertThat(done("merge", "crm", "dev")).isEqualTo("main has commit 2 of dev already");
    assertThat(done("show", "crm", "--json")).contains("\"t\":2");
    age("c2", 20);
    ageOn(DEV, "c3", 3);
    assertThat(done("merge", "crm", "dev").lines())
        .containsExactly(
            "1 row of dev would be merged; nothing was done, run it with --apply",
            "entity:Customer: 1 taken, 0 combined, 0 resolved");
    assertThat(done("merge", DEV, "main", "--apply", "--meta", "why=test", "--json"))
        .contains("\"outcome\":\"merged\"", "\"commit_id\":4", "\"applied\":true");
    assertThat(done("log", DEV, "--last", "1"))
        .contains("\"operation\":\"merge\"", "\"source\":\"main\"", "\"why\":\"test\"");
  }

  @Test
  void conflictsAreToldFieldByFieldAndDecidedOnRequest() throws IOException {
    crm();
    done("branch", "create", "crm", "dev");
    ageOn(DEV, "c1", 50);
    age("c1", 40);

    Outcome outcome = run("merge", "crm", "dev", "--apply");
    assertThat(outcome.exitCode()).isEqualTo(6);
    assertThat(outcome.out().lines())
        .containsExactly(
            "1 row in conflict; nothing was merged",
            "entity:Customer c1  age: base 30, ours 40, theirs 50",
            "change one side, or decide with --ours or --theirs");
    assertThat(run("merge", "crm", "dev", "--json").out())
        .contains("\"fields\":[{\"field\":\"age\",\"base\":30,\"ours\":40,\"theirs\":50}]")
        .contains("\"applied\":false");
    assertThat(done("merge", "crm", "dev", "--theirs", "--apply"))
        .startsWith("commit 3: 1 row of dev merged");
    assertThat(done("changes", "crm", "3")).contains("age 40 -> 50");
    failed(2, "exclude each other", "merge", "crm", "dev", "--ours", "--theirs");
    failed(1, "no branch nobody", "merge", "crm", "nobody");
    failed(7, "into itself", "merge", "crm", "main");
    failed(2, "no name of a branch", "merge", "crm", "a b");
  }
}
