// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Types are shown, changed and ended; cases I. */
class SchemaCommandsTest extends LedgerCommandFixture {

  @Test
  void schemasAreShownAndCompared() throws IOException {
    crm();
    String shown = done("schema", "show", "crm");
    assertThat(done("schema", "validate", "crm", file("shown.json", shown)))
        .isEqualTo("nothing differs");
    assertThat(done("schema", "show", "crm", "Sub"))
        .contains("\"relation\" : \"Sub\"", "\"left\" : \"Customer\"");
    assertThat(done("schema", "show", "crm", "Customer", "--version", "1", "--json"))
        .contains("\"schema_version_id\":1", "\"schema\":{\"entity\":\"Customer\"")
        .contains("\"schema_json\":{\"entity_name\":\"Customer\"");
    failed(
        1,
        "there is no version 2; there are [1]",
        "schema",
        "show",
        "crm",
        "Customer",
        "--version",
        "2");
    failed(2, "--version is of one TYPE", "schema", "show", "crm", "--version", "2");
    assertThat(done("schema", "history", "crm", "Customer")).contains("1        20", "initial");
    Outcome differs =
        run(
            "schema",
            "validate",
            "crm",
            file("t.json", TYPES.replace("\"age\": \"long\"", "\"name\": \"string\"")),
            "--json");
    assertThat(differs.exitCode()).isEqualTo(3);
    assertThat(differs.out())
        .contains("\"status\":\"mismatch\"", "\"added\":[\"name\"],\"removed\":[\"age\"]");
    assertThat(
            done(
                "schema",
                "validate",
                "crm",
                file("n.json", "{\"entity\":\"New\",\"key\":\"id\",\"fields\":{\"id\":\"long\"}}")))
        .contains("entity:New is new to the ledger");
  }

  @Test
  void casesIFourToISixAMigrationIsShownAndThenMeant() throws IOException {
    crm();
    String types =
        file(
            "next.json",
            TYPES.replace("\"age\": \"long\"", "\"years\": \"long\", \"tier\": \"string\""));
    String[] rules = {"--rename", "Customer.age=years", "--set", "Customer.tier=\"Gold\""};
    assertThat(done("schema", "migrate", "crm", types))
        .contains("entity:Customer v1: added tier, years; removed age (2 rows)")
        .contains("[entity:Customer] needs rules");
    assertThat(done("schema", "migrate", "crm", types, "--json"))
        .contains("\"estimated_rows\":2", "\"missing_upgraders\":[\"entity:Customer\"]");
    failed(4, "no upgrader", "schema", "migrate", "crm", types, "--apply", "--force");
    failed(
        4,
        "upgrading entity:Customer c1 failed",
        "schema",
        "migrate",
        "crm",
        types,
        "--rename",
        "Customer.age=years",
        "--apply",
        "--force");

    String token = found("--token (\\S+)", done(with(rules, "schema", "migrate", "crm", types)));
    failed(2, "either the --token", with(rules, "schema", "migrate", "crm", types, "--apply"));
    failed(
        2,
        "either the --token",
        with(rules, "schema", "migrate", "crm", types, "--apply", "--force", "--token", token));
    failed(2, "go with --apply", with(rules, "schema", "migrate", "crm", types, "--force"));
    failed(2, "is no JSON", "schema", "migrate", "crm", types, "--set", "Customer.tier=Gold");
    failed(2, "say TYPE.OLD=NEW", "schema", "migrate", "crm", types, "--rename", "age");
    age("c2", 10);
    failed(
        7, "isn't it", with(rules, "schema", "migrate", "crm", types, "--apply", "--token", token));

    token = found("--token (\\S+)", done(with(rules, "schema", "migrate", "crm", types)));
    assertThat(
            done(
                with(
                    rules,
                    "schema",
                    "migrate",
                    "crm",
                    types,
                    "--apply",
                    "--token",
                    token,
                    "--meta",
                    "why=tiers")))
        .isEqualTo("commit 3: 2 rows migrated");
    assertThat(done("changes", "crm", "3"))
        .contains("\"kind\":\"migration\"", "\"why\":\"tiers\"")
        .contains(
            "updated   entity:Customer c1  age 30 -> nothing, tier nothing -> \"Gold\", years nothing -> 30");
    assertThat(done("schema", "history", "crm", "Customer").lines()).hasSize(3);
    assertThat(done(with(rules, "schema", "migrate", "crm", types)))
        .isEqualTo("nothing to migrate: the types are so already");
  }

  @Test
  void whatMayBeNullNeedsNoRule() throws IOException {
    crm();
    String types =
        file(
            "next.json",
            TYPES.replace("\"age\": \"long\"", "\"age\": \"long?\", \"mail\": \"string?\""));
    assertThat(done("schema", "migrate", "crm", types, "--apply", "--force", "--json"))
        .contains("\"applied\":true,\"rows_migrated\":2,\"commit_id\":2");
    String out = directory.resolve("out").toString();
    done("export", "crm", "--output", out, "--as-of", "1", "--schema-as-of-commit");
    done("ledger", "init", "then");
    assertThat(done("import", "then", out, "--apply")).endsWith("commit 1");
    assertThat(done("schema", "show", "then", "Customer")).doesNotContain("mail");
  }

  @Test
  void caseINineADropIsRefusedUnlessAllOfItIsMeant() throws IOException {
    crm();
    failed(7, "is an end of [relation:Sub]", "schema", "drop", "crm", "Customer");
    failed(
        7,
        "rows would be lost",
        "schema",
        "drop",
        "crm",
        "Customer",
        "--cascade",
        "--apply",
        "--force");
    failed(4, "there is no type X", "schema", "drop", "crm", "X");
    String plan =
        done("schema", "drop", "crm", "Customer", "--drop-relation", "Sub", "--purge-history");
    assertThat(plan).startsWith("would drop entity:Customer with 2 rows, relation:Sub with 1 row");
    String token = found("--token (\\S+)", plan);
    failed(
        7,
        "isn't it",
        "schema",
        "drop",
        "crm",
        "Customer",
        "--cascade",
        "--purge-history",
        "--apply",
        "--token",
        "x");
    assertThat(
            done(
                "schema",
                "drop",
                "crm",
                "Customer",
                "--cascade",
                "--purge-history",
                "--apply",
                "--token",
                token,
                "--json"))
        .isEqualTo(
            "{\"affected_types\":[\"entity:Customer\",\"relation:Sub\"],"
                + "\"rows\":{\"entity:Customer\":2,\"relation:Sub\":1},\"purge_history\":true,"
                + "\"applied\":true,\"commit_id\":2}");
    assertThat(done("ledger", "info", "crm", "--stats", "--json"))
        .contains("\"entity_counts\":{\"Product\":1},\"relation_counts\":{}");
  }
}
