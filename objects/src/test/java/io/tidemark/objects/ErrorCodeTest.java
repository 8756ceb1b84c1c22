// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ErrorCodeTest {

  /** The table in docs/reference/errors.md, which is what users go by. */
  private static List<String> documented() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "reference", "errors.md"))) {
      String[] cells = line.split(" *\\| *", -1);
      if (line.startsWith("| `") && cells.length == 7) {
        rows.add(String.join(" ", cells[1], cells[2], cells[3], cells[4]).replace("`", ""));
      }
    }
    return rows;
  }

  @Test
  void everyCodeHasTheKindTheStatusAndTheExitCodeThatAreDocumented() throws IOException {
    assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCodeTest::row))
        .containsExactlyElementsOf(documented());
  }

  private static String row(ErrorCode code) {
    ErrorKind kind = code.kind();
    return code.text() + " " + kind + " " + kind.status() + " " + code.exitCode();
  }

  @ParameterizedTest
  @EnumSource
  void anExceptionTellsWhatTheTableSaysOfItsCode(ErrorCode code) {
    TidemarkException e = new TidemarkException(code, "why");
    assertThat(e).hasMessage("why").hasNoCause();
    assertThat(e.code()).isEqualTo(code.text());
    assertThat(e.kind()).isEqualTo(code.kind());
    assertThat(e.exitCode()).isEqualTo(code.exitCode());
    assertThat(ErrorCode.of(e.code())).contains(code);
  }

  @Test
  void aCodeOfANewerVersionHasTheExitCodeOfItsKind() {
    assertThat(ErrorCode.of("not-yet-known")).isEmpty();
    assertThat(new Foreign("not-yet-known", ErrorKind.CONFLICT).exitCode()).isEqualTo(6);
    assertThat(new Foreign("schema-outdated", ErrorKind.CONFLICT).exitCode()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "400,INVALID", "401,FORBIDDEN", "403,FORBIDDEN", "404,NOT_FOUND", "405,INVALID",
    "409,CONFLICT", "410,GONE", "412,CONFLICT", "413,TOO_LARGE", "414,TOO_LARGE",
    "422,UNPROCESSABLE", "429,UNAVAILABLE", "431,TOO_LARGE", "500,FAILED", "503,UNAVAILABLE",
    "504,OUTCOME_UNKNOWN", "508,FAILED", "0,FAILED", "200,FAILED"
  })
  void aStatusWithoutAKnownCodeTellsTheKind(int status, ErrorKind kind) {
    assertThat(ErrorKind.ofStatus(status)).isEqualTo(kind);
  }

  private static final class Foreign extends TidemarkException {
    private static final long serialVersionUID = 1L;

    Foreign(String code, ErrorKind kind) {
      super(code, kind, "", null);
    }
  }
}
