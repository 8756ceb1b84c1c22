// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the verbs on names answer, and what they say of what can't be meant. */
class NamesOutputTest extends LedgerCommandFixture {

  private static final String C1 = "{\"id\":\"c1\",\"t\":1}";

  private Outcome runWithInput(String input, String... words) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      return run(words);
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void whatExistsIsSaidInASentence() {
    done("create", "mydb");
    done("source", "create", "search", "f:Bm25Index", "{}");
    failed(6, "mydb:main exists already, as a ledger; choose another address", "create", "mydb");
    failed(6, "search:main exists already, as a graph source; choose", "create", "search");
    done("retract", "mydb");
    failed(6, "mydb:main exists already, as a ledger, but is retracted; restore", "create", "mydb");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: | ADDRESS: the address \"a:\" has an empty branch; write name or name:branch",
        ":main | ADDRESS: the address \":main\" has an empty name; write name or name:branch",
        "a:b:c | ADDRESS: the address \"a:b:c\" has more than one ':'; write name or name:branch",
        "mydb:a@b | ADDRESS: the address \"mydb:a@b\" has a branch that isn't allowed; use letters",
        "/abs | ADDRESS: the address \"/abs\" has a name that isn't allowed; use letters"
      })
  void aWrongAddressIsShownWhole(String address, String message) {
    failed(2, "tidemark: " + message, "create", address);
    failed(2, message.replace("ADDRESS: ", "tidemark: "), "watch", address, "--for", "0");
    assertThat(done("list")).isEqualTo("no records");
  }

  @Test
  void aWordThatIsNoneOfTheKnownIsSaidSo() {
    failed(2, "CONCERN: 'x' is none of head, index, status, config", "concern", "get", "mydb", "x");
    failed(2, "'--kind': 'x' is none of ledger, graph_source", "list", "--kind", "x");
    failed(2, "'--limit': 'x' is no whole number", "list", "--limit", "x");
  }

  @Test
  void whatIsntThereIsntToBeCreatedByWhoeverTakesItBack() {
    failed(1, "there is no nope:main; check the address, or create it", "retract", "nope");
    failed(1, "there is no nope:main; check the address, or create it", "branch", "drop", "nope");
    failed(1, "there is no nope:main; 'tidemark list'", "concern", "get", "nope", "head");
    assertThat(done("purge", "nope", "--yes")).isEqualTo("nothing to purge: there is no nope:main");
    assertThat(done("purge", "nope", "--yes", "--json"))
        .isEqualTo("{\"purged\":null,\"absent\":\"nope:main\"}");
    done("create", "nope");
    assertThat(done("purge", "nope", "--yes", "--json")).isEqualTo("{\"purged\":\"nope:main\"}");
  }

  @Test
  void aGraphSourceIsntTakenForALedgerThatIsMissing() {
    done("source", "create", "search", "f:Bm25Index", "{}");
    failed(1, "there is no ledger search:main but a graph", "branch", "create", "search", "dev");
    failed(
        1, "search:main is a graph source, which has no head", "concern", "get", "search", "head");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | [1] | the head of mydb:main stays as it is: the payload is JSON but no object; write",
        "1 | {\"id\" | the head of mydb:main stays as it is: the payload is no JSON: ",
        "1 | {\"id\":\"c1\",\"t\":2} | the head of mydb:main needs an id and its t, like ",
        "x | {} | the head of mydb:main can't be moved to \"x\"; a watermark is a whole number",
        "9223372036854775808 | {} | the head of mydb:main can't be moved to \"9223372036854775808\""
      })
  void whatCantBeAHeadIsRefusedInItsName(String watermark, String payload, String message) {
    done("create", "mydb");
    failed(2, message, "concern", "push", "mydb", "head", watermark, payload, "--expect", "0");
    failed(2, message, "concern", "advance", "mydb", "head", watermark, payload);
    assertThat(done("concern", "get", "mydb", "head")).isEqualTo("unborn");
  }

  @Test
  void aWatermarkThatWasExpectedIsShownWithoutAPayloadThatNobodyNamed() {
    done("create", "mydb");
    done("concern", "advance", "mydb", "head", "1", C1);
    String[] push = {"concern", "push", "mydb", "head", "6", "{\"id\":\"c6\",\"t\":6}"};
    List<String> words = Stream.concat(Stream.of(push), Stream.of("--expect", "5")).toList();
    assertThat(run(words.toArray(String[]::new)).out())
        .isEqualToNormalizingNewlines(
            """
            conflict: the head of mydb:main has not moved
              expected  5, whatever it says
              actual    1 {"id":"c1","t":1}
            """);
    words = Stream.concat(words.stream(), Stream.of("--json")).toList();
    Outcome conflict = run(words.toArray(String[]::new));
    assertThat(conflict.exitCode()).isEqualTo(6);
    assertThat(conflict.out().strip())
        .isEqualTo(
            "{\"result\":\"conflict\",\"expected\":{\"watermark\":5},"
                + "\"actual\":{\"watermark\":1,\"payload\":{\"id\":\"c1\",\"t\":1}}}");
  }

  @Test
  void aPayloadMayComeFromStandardInputUpToTheLimit() {
    done("create", "mydb");
    String config = "{\"a\":9007199254740993}";
    Outcome read =
        runWithInput(config, "concern", "push", "mydb", "config", "1", "-", "--expect", "0");
    assertThat(read).isEqualTo(new Outcome(0, "1 " + config + System.lineSeparator(), ""));
    String large = "{\"a\":\"" + "x".repeat(1 << 20) + "\"}";
    Outcome refused =
        runWithInput(large, "concern", "push", "mydb", "config", "2", "-", "--expect", "1");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err())
        .startsWith("tidemark: the config of mydb:main would have 1048584 bytes; at most 1048576");
    assertThat(done("concern", "get", "mydb", "config")).isEqualTo("1 " + config);
    Outcome source = runWithInput(config, "source", "create", "sales", "f:JdbcSource", "-");
    assertThat(source.out()).contains("config   1 " + config);
    failed(
        2,
        "the set-up of sales:main stays as it is: the payload is JSON but no object",
        "source",
        "create",
        "sales",
        "f:JdbcSource",
        "[]");
  }

  @Test
  void aLockSaysHowFarTheWorkIsAndWhoHasItOnceItIsLost() {
    done("create", "mydb");
    assertThat(done("lock", "acquire", "mydb", "index", "--holder", "a", "--target-t", "45"))
        .endsWith("Z, up to t 45");
    done("lock", "refresh", "mydb", "index", "--epoch", "1", "--progress", "0.5");
    assertThat(done("lock", "show", "mydb", "index"))
        .startsWith("locked: epoch 1 of a, until ")
        .endsWith("Z, up to t 45, 50 % done");
    assertThat(done("lock", "show", "mydb", "index", "--json"))
        .startsWith("{\"result\":\"locked\",\"holder\":\"a\",\"epoch\":1,\"expires_at\":")
        .endsWith(",\"target_t\":45,\"progress\":0.5}");
    Outcome lost = run("lock", "refresh", "mydb", "index", "--epoch", "7");
    assertThat(lost.exitCode()).isEqualTo(6);
    assertThat(lost.out()).startsWith("lost: epoch 1 of a, until ");
    done("lock", "release", "mydb", "index", "--epoch", "1");
    Outcome again = run("lock", "release", "mydb", "index", "--epoch", "1");
    assertThat(again.exitCode()).isEqualTo(6);
    assertThat(again.out().strip()).isEqualTo("lost: nobody has it any more");
  }

  @Test
  void aLockThatIsOverIsShownAsExpired() {
    done("create", "mydb");
    String status = "{\"state\":\"x\",\"index_lock\":{\"holder\":\"x\",\"expires_at\":1}}";
    done("concern", "push", "mydb", "status", "2", status, "--expect", "1");
    assertThat(done("lock", "show", "mydb", "index"))
        .isEqualTo("expired: epoch 0 of x, until 1970-01-01T00:00:01Z");
  }

  static Stream<List<String>> verbsOnNames() {
    return Stream.of(
            "create,show,retract,restore,purge,list,watch,migrate",
            "concern,concern get,concern push,concern advance",
            "branch,branch create,branch list,branch drop,source,source create,source list",
            "lock,lock acquire,lock refresh,lock release,lock show")
        .flatMap(verbs -> Stream.of(verbs.split(",")))
        .map(verb -> List.of(verb.split(" ")));
  }

  @ParameterizedTest
  @MethodSource("verbsOnNames")
  void everyVerbOnNamesHasExamples(List<String> verb) {
    List<String> words = Stream.concat(verb.stream(), Stream.of("--help")).toList();
    String help = done(words.toArray(String[]::new));
    assertThat(help.substring(help.lastIndexOf("Examples:")))
        .contains("  tidemark " + String.join(" ", verb) + (verb.size() > 1 ? " " : ""));
    assertThat(help.lines()).allMatch(line -> line.length() <= 80);
  }
}
