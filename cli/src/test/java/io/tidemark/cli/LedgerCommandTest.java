// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ledgers are made and told of; cases A and K1. */
class LedgerCommandTest extends LedgerCommandFixture {

  @Test
  void casesAOneAndAThreeALedgerIsMadeOnceUnlessByForce() throws IOException {
    String plan = done("ledger", "init", "crm", "--dry-run", "--json");
    assertThat(plan)
        .contains("\"already_initialized\":false", "\"engine_version\":\"v1\"")
        .contains("\"meta/head.json\"", "\"meta/engine.json\"");
    assertThat(done("list")).isEqualTo("no records");
    assertThat(done("ledger", "init", "crm")).startsWith("made the ledger crm:main in ");
    assertThat(objects("meta/head.json")).exists();

    failed(4, "there is a ledger in", "ledger", "init", "crm");
    failed(7, "\"bad\" isn't it", "ledger", "init", "crm", "--force", "--token", "bad");
    failed(2, "--force and --token go together", "ledger", "init", "crm", "--force");

    crmCommitted();
    String token =
        found(
            "\"force_token\":\"([0-9a-f]{16})\"",
            done("ledger", "init", "crm", "--dry-run", "--json"));
    done("ledger", "init", "crm", "--force", "--token", token);
    assertThat(done("log", "crm")).isEqualTo("no commits");
    assertThat(done("show", "crm")).contains("head     unborn");
    crmCommitted();
    assertThat(done("list")).contains("crm:main  ledger  ready  1 baga");
  }

  @Test
  void aLedgerCanBeElsewhere() throws IOException {
    Path other = directory.resolve("elsewhere");
    done("ledger", "init", "crm", "--objects", other.toString());
    assertThat(other.resolve("meta/head.json")).exists();
    assertThat(done("ledger", "info", "crm")).contains("file://" + other);
  }

  @Test
  void caseATwoWhatIsntALedgerIsNamed() {
    failed(1, "there is no ledger nope:main", "ledger", "info", "nope");
    done("create", "name");
    failed(5, "there is no ledger in", "ledger", "info", "name");
    failed(5, "initialise it first", "log", "name");
    failed(2, "\"../x\"", "ledger", "init", "../x");
  }

  @Test
  void caseKOneInfoHasTheseKeys() throws IOException {
    crm();
    String json = done("ledger", "info", "crm", "--stats", "--schema", "--json");
    assertThat(json)
        .startsWith("{\"ledger\":\"crm:main\",\"head_commit_id\":1,\"storage_uri\":\"file://")
        .contains("\"engine_version\":\"v1\",\"initialized\":true,\"last_index_warning\":null")
        .contains("\"entity_counts\":{\"Customer\":2,\"Product\":1}")
        .contains("\"relation_counts\":{\"Sub\":1}")
        .contains("\"entity_schemas\":{\"Customer\":{\"entity_name\":\"Customer\"")
        .contains("\"relation_schemas\":{\"Sub\":{");
    assertThat(done("ledger", "info", "crm", "--stats"))
        .contains("head     1", "indices  complete", "rows     entity:Customer 2");
  }

  @Test
  void aLedgerThatExistsIsOpenedUnderAName() throws IOException {
    crm();
    String place = objects("").toString();
    failed(4, "give it a name with 'ledger open'", "ledger", "init", "sold", "--objects", place);
    assertThat(done("ledger", "open", "sold", "--objects", place))
        .startsWith("opened the ledger sold:main in file:")
        .endsWith("data/ledgers/crm/, at commit 1");
    assertThat(done("log", "sold", "--json")).isEqualTo(done("log", "crm", "--json"));
    assertThat(done("list")).contains("sold:main  ledger  ready  1 baga");
    assertThat(done("ledger", "open", "sold", "--objects", place, "--json"))
        .contains("\"head_commit_id\":1,\"branches\":[]}");
    failed(5, "meta/head.json is missing there", "ledger", "open", "no", "--objects", "nowhere/");
    failed(1, "there is no ledger no", "log", "no");
  }

  @Test
  void everyVerbHasExamples() {
    for (String verb :
        List.of(
            "ledger", "commit", "log", "changes", "schema", "import", "export", "index", "compact",
            "gc", "verify")) {
      assertThat(help(verb)).contains("Usage: tidemark " + verb, "Examples:");
    }
    for (String part :
        List.of(
            "ledger init",
            "ledger info",
            "ledger open",
            "schema show",
            "schema history",
            "schema validate",
            "schema migrate",
            "schema drop",
            "index verify",
            "index repair")) {
      assertThat(help(part.split(" "))).contains("Usage: tidemark " + part, "Examples:");
    }
  }

  @Test
  void aVerbWithPartsSaysWhichWhenNoneIsNamed() {
    assertThat(plain("ledger").err()).startsWith("tidemark: say what to do: init, open or info");
    assertThat(plain("index").err()).startsWith("tidemark: say what to do: verify or repair");
    assertThat(plain("schema").err()).startsWith("tidemark: say what to do: show, history");
    assertThat(plain("schema").exitCode()).isEqualTo(2);
  }
}
