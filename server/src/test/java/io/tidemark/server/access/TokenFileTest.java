// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenFileTest {

  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  @TempDir Path directory;
  private Path path;
  private TokenFile file;

  @BeforeEach
  void open() {
    path = directory.resolve("tokens");
    file = new TokenFile(path);
  }

  private static TokenRecord.NewToken fresh(String name) {
    return TokenRecord.create(name, Grant.parse("read:names/acme/"), NOW, Optional.empty());
  }

  @Test
  void hasALineForEachTokenAndNoSecret() throws IOException {
    TokenRecord.NewToken one = fresh("one");
    TokenRecord.NewToken two = fresh("two");
    file.add(one.token());
    file.add(two.token());

    assertThat(file.read()).containsExactly(one.token(), two.token());
    assertThat(Files.readAllLines(path)).hasSize(2);
    assertThat(Files.readString(path))
        .doesNotContain(one.secret().substring(16), two.secret().substring(16))
        .contains("\"grants\":[\"read:names/acme/\"]");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(one.toString()).doesNotContain(one.secret());
  }

  @Test
  void aSecretHas256BitsOfChance() {
    TokenRecord.NewToken one = fresh("one");
    assertThat(one.secret()).matches("tm_[0-9a-f]{12}_[A-Za-z0-9_-]{43}");
    assertThat(IntStream.range(0, 100).mapToObj(i -> fresh("one").secret()))
        .doesNotHaveDuplicates();
    assertThat(one.token().matches(one.secret())).isTrue();
    assertThat(one.token().matches(one.secret() + "x")).isFalse();
    assertThat(one.token().matches("tm_" + one.token().id() + "_" + "A".repeat(43))).isFalse();
  }

  @Test
  void aNameHasOneTokenAndIsRemovedByIt() {
    file.add(fresh("one").token());
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> file.add(fresh("one").token()))
        .withMessageContaining("a token named one already");
    file.remove("one");
    assertThat(file.read()).isEmpty();
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(() -> file.remove("one"))
        .withMessageContaining("no token named one");
  }

  @Test
  void aFileThatOthersMayReadIsRefusedUnlessThatIsAccepted() throws IOException {
    file.add(fresh("one").token());
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    assertThatExceptionOfType(InvalidAccessException.class)
        .isThrownBy(file::read)
        .withMessageContaining("(rw-r-----); run chmod 600");
    assertThat(new TokenFile(path, true).read()).hasSize(1);
  }

  @Test
  void aLineThatIsNoneIsNamedButNotShown() throws IOException {
    TokenRecord.NewToken one = fresh("one");
    file.add(one.token());
    for (String line :
        List.of(one.secret(), "{\"name\":\"x\"}", "{\"name\":\"x\",\"grants\":[\"" + "no\"]}")) {
      Files.writeString(path, line + "\n", StandardOpenOption.APPEND);
      assertThatExceptionOfType(InvalidAccessException.class)
          .isThrownBy(file::read)
          .withMessageContaining("line 2 of ")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain(one.secret()));
      Files.write(path, List.of(one.token().toLine()));
    }
  }
}
